// node ajv.mjs LOG SCHEMA: parse every line and check it with ajv; prints how many it rejects.
import fs from "node:fs";
import Ajv from "ajv/dist/2020.js";

const [log, schema] = process.argv.slice(2);
const check = new Ajv({ allErrors: true }).compile(JSON.parse(fs.readFileSync(schema, "utf8")));
const file = fs.openSync(log, "r");
const chunk = Buffer.alloc(1 << 16);
let rest = Buffer.alloc(0);
let rejected = 0;

for (let count; (count = fs.readSync(file, chunk, 0, chunk.length, null)) > 0; ) {
  const data = Buffer.concat([rest, chunk.subarray(0, count)]);
  let start = 0;
  for (let end; (end = data.indexOf(10, start)) >= 0; start = end + 1) {
    rejected += check(JSON.parse(data.toString("utf8", start, end))) ? 0 : 1;
  }
  rest = data.subarray(start);
}
console.log(rejected);
