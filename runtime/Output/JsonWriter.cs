namespace ProtocolArc.Runtime.Output;

/// <summary>The bytes of Python's <c>json.dumps</c>: indented by two, or compact.</summary>
internal sealed class JsonWriter(AsciiWriter output, bool isIndented)
{
    private int _depth;

    /// <summary>True where nothing stands yet in the innermost container.</summary>
    private bool _isEmpty = true;

    public JsonWriter Open(char bracket)
    {
        output.Write([bracket]);
        _depth++;
        _isEmpty = true;
        return this;
    }

    public JsonWriter Close(char bracket)
    {
        _depth--;
        if (!_isEmpty)
        {
            BreakLine();
        }

        output.Write([bracket]);
        _isEmpty = false;
        return this;
    }

    /// <summary>Begin an item of an array.</summary>
    public JsonWriter Item()
    {
        if (!_isEmpty)
        {
            output.Write(",");
        }

        BreakLine();
        _isEmpty = false;
        return this;
    }

    /// <summary>Begin a member of an object; its name holds nothing to escape.</summary>
    public JsonWriter Name(string name)
    {
        Item();
        output.Write("\"").Write(name).Write(isIndented ? "\": " : "\":");
        return this;
    }

    public JsonWriter Value(string? text)
    {
        if (text is null)
        {
            output.Write("null");
        }
        else
        {
            output.WriteJson(text);
        }

        return this;
    }

    public JsonWriter Value(in DocumentLabel label)
    {
        output.Write("\"");
        label.WriteTo(output, '"');
        output.Write("\"");
        return this;
    }

    public JsonWriter Value(bool value)
    {
        output.Write(value ? "true" : "false");
        return this;
    }

    public JsonWriter Value(long? number)
    {
        if (number is long present)
        {
            output.Write(present);
        }
        else
        {
            output.Write("null");
        }

        return this;
    }

    /// <summary>End the document.</summary>
    public void End() => output.Write("\n");

    private void BreakLine()
    {
        if (isIndented)
        {
            output.Write("\n");
            for (int level = 0; level < _depth; level++)
            {
                output.Write("  ");
            }
        }
    }
}
