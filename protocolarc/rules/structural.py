"""The structural codes: why a document, a contract or an envelope could not be read. Codes are data."""

from __future__ import annotations

from protocolarc.rules.entry import Entry

_JSON = "The document is outside the JSON profile; it is not checked further, the other documents are."
_CONTRACT = "The contract is not used until every problem of it is solved."
_ENVELOPE = "The envelope is not checked; the other documents are."

CODES: tuple[Entry, ...] = (
    Entry(
        "json.bom",
        "the document begins with a byte order mark",
        _JSON,
        "a.json json.bom at byte 0",
        "Save the file as UTF-8 without a byte order mark.",
    ),
    Entry(
        "json.utf8",
        "bytes that are not UTF-8",
        f"{_JSON} The offset is the first byte of the ill-formed sequence.",
        "a.json json.utf8 at byte 7",
        "Encode the document as UTF-8.",
    ),
    Entry(
        "json.syntax",
        "not JSON as RFC 8259 defines it",
        f"{_JSON} A trailing comma, a comment, NaN, 01, a raw control in a string, text after the value, "
        "and an empty document are all none. A token that is no number or word is reported at its first byte, "
        "an escape at its backslash, an end that comes too early at the length of the input.",
        "a.jsonl:5 json.syntax at byte 12",
        "Write the document with a JSON library.",
    ),
    Entry(
        "json.surrogate",
        "an escaped surrogate without its partner",
        f"{_JSON} Such a string is no Unicode text, and parsers disagree about it.",
        r'{"a":"\ud83d"} json.surrogate at byte 6',
        "Write both halves of the pair, or the character itself.",
    ),
    Entry(
        "json.duplicate_key",
        "two members of an object have the same name",
        f"{_JSON} Names are compared after unescaping. Parsers disagree about which one counts.",
        '{"a":1,"a":2} json.duplicate_key at byte 7',
        "Write each name once.",
    ),
    Entry(
        "json.depth",
        "more than 64 open containers",
        f"{_JSON} The offset is the 65th bracket.",
        "a.json json.depth at byte 64",
        "Nest less deeply, or pass the inner document as a string.",
    ),
    Entry(
        "json.number_limit",
        "a number of more than 1,000 bytes or with an exponent of more than 9 digits",
        f"{_JSON} Numbers are exact decimals, so their size has to be bounded.",
        '{"a":1e9999999999} json.number_limit at byte 5',
        "Send such a number as a string.",
    ),
    Entry(
        "input.size",
        "a document or line of more than 16 MiB",
        _JSON,
        "a.jsonl:2 input.size at byte 0",
        "Split the document.",
    ),
    Entry(
        "input.unreadable",
        "a file that is missing or cannot be read",
        "The reason, in the words of the system, is on standard error.",
        "missing.jsonl input.unreadable",
        "Check the path and its permissions.",
    ),
    Entry(
        "input.empty",
        "a directory without a file to check",
        "Hidden files and symbolic links below a directory are left out.",
        "logs input.empty",
        "Name the files themselves, or give them one of the known endings.",
    ),
    Entry(
        "contract.not_object",
        "the contract document is no JSON object",
        _CONTRACT,
        "c.json contract.not_object at byte 0",
        "Begin with the keys name, revision, kind and fields.",
    ),
    Entry(
        "contract.value",
        "a known key has a value outside its set",
        _CONTRACT,
        "c.json contract.value at byte 90 /side",
        "Use one of the values that the hint lists.",
    ),
    Entry(
        "contract.key_missing",
        "a required key is not there",
        f"{_CONTRACT} One line per key, at the object that lacks it.",
        "c.json contract.key_missing at byte 0",
        "Add the key.",
    ),
    Entry(
        "contract.key_unknown",
        "a key that contracts do not have",
        f"{_CONTRACT} Keys for other tools begin with x- and stand at the top level.",
        "c.json contract.key_unknown at byte 120 /fields/0/requird",
        "Correct the spelling, or move the key under an x- name.",
    ),
    Entry(
        "contract.key_type",
        "a known key has a value of another JSON type",
        _CONTRACT,
        "c.json contract.key_type at byte 64 /fields/0/required",
        "Use the JSON type that the hint names.",
    ),
    Entry(
        "contract.name",
        "the name is not made as names are",
        f"{_CONTRACT} Segments of A-Z a-z 0-9 _ - joined by . or /, at most 200 bytes.",
        "c.json contract.name at byte 9 /name",
        "Choose a name such as mcp.tool_call.",
    ),
    Entry(
        "contract.revision",
        "the revision is not a semantic version",
        f"{_CONTRACT} SemVer 2.0.0 to the letter, at most 256 characters: no v, no leading zeros, three numbers.",
        "c.json contract.revision at byte 30 /revision",
        "Write it as 1.0.0.",
    ),
    Entry(
        "contract.path",
        "a field name or reserved path is no path",
        f"{_CONTRACT} At most 64 steps, and at most 64 declared paths that speak about one place.",
        "c.json contract.path at byte 88 /fields/0/name",
        "Write params.name, parts[*].text, _meta.* or _meta['a.key'].",
    ),
    Entry(
        "contract.duplicate_field",
        "two fields have the same canonical path",
        _CONTRACT,
        "c.json contract.duplicate_field at byte 150 /fields/1/name",
        "Keep one of them.",
    ),
    Entry(
        "contract.unreachable",
        "a field that no document can hold",
        f"{_CONTRACT} Its path needs an object or array where the contract admits none, "
        "or it contradicts the map beside it.",
        "c.json contract.unreachable at byte 150 /fields/1/name",
        "Let the place above admit the container, or drop the field.",
    ),
    Entry(
        "contract.type",
        "a type that does not exist, is listed twice, or no type at all",
        _CONTRACT,
        "c.json contract.type at byte 101 /fields/0/type",
        "Use string integer number boolean object array null any, each once.",
    ),
    Entry(
        "contract.enum",
        "an enum that is empty, holds containers or equal members, or that no type admits",
        f"{_CONTRACT} 1 and 1.0 are the same member.",
        "c.json contract.enum at byte 120 /fields/0/enum",
        "List distinct scalars, at least one of a declared type.",
    ),
    Entry(
        "contract.reserved",
        "a reserved path is listed twice, or is declared as well",
        _CONTRACT,
        "c.json contract.reserved at byte 200 /reserved/0",
        "Choose another name for the field; a tombstone stays.",
    ),
    Entry(
        "envelope.not_object",
        "an envelope that is no JSON object",
        f"{_ENVELOPE} With --raw: a body that is none.",
        "a.jsonl:3 envelope.not_object at byte 0",
        'Wrap the message: {"contract": ..., "data": {...}}.',
    ),
    Entry(
        "envelope.key_missing",
        "an envelope without contract or data",
        f"{_ENVELOPE} The offset is that of the object.",
        "a.jsonl:3 envelope.key_missing at byte 0",
        "Add the key, or pass --raw when the documents are bare bodies.",
    ),
    Entry(
        "envelope.key_type",
        "contract or revision is no string, or data no object",
        f"{_ENVELOPE} The offset is that of the value.",
        "a.jsonl:3 envelope.key_type at byte 24",
        "Correct the value.",
    ),
)

SUMMARIES = {entry.id: entry.summary for entry in CODES}
REMEDIES = {entry.id: entry.remedy for entry in CODES}
