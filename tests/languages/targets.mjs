// node tests/languages/targets.mjs [--out FOLDER] [--schema NAME] [TARGET...]
// Compiles a schema, or both that are written by hand, to some targets of the compiler, or to every one, and prints,
// as JSON by target, what the compiler says against them; an empty text means nothing. With --out, writes what it makes
// to FOLDER/TARGET.
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { compile, readSchema, targets } from './compiler.mjs';

const { values, positionals } = parseArgs({
  options: { out: { type: 'string' }, schema: { type: 'string', multiple: true } },
  allowPositionals: true,
});
const said = [];
const print = console.log;
// The compiler's warnings go to the console.
for (const name of ['log', 'warn', 'error']) {
  console[name] = (...parts) => said.push(parts.join(' '));
}

const names = values.schema ?? ['mysql_binlog', 'mariadb_engine_binlog'];
const schemas = names.map((name) => readSchema(name));

async function outcome(target) {
  said.length = 0;
  try {
    const files = {};
    for (const schema of schemas) Object.assign(files, await compile(target, schema));
    for (const [name, text] of Object.entries(values.out === undefined ? {} : files)) {
      const file = path.join(values.out, target, name);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, text);
    }
  } catch (error) {
    said.push(String(error));
  }
  return said.join('\n');
}

const outcomes = {};
for (const target of positionals.length > 0 ? positionals : targets) {
  outcomes[target] = await outcome(target);
}
print(JSON.stringify(outcomes, undefined, 1));
