// node tools/compile_schema.mjs [--target python] [--out compiled]
// Compiles the schemas with the pinned npm compiler and writes what it makes into the folder.
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import KaitaiStructCompiler from 'kaitai-struct-compiler';
import YAML from 'yaml';

const { values } = parseArgs({
  options: { target: { type: 'string', default: 'python' }, out: { type: 'string', default: 'compiled' } },
});
const schemas = ['mysql_binlog.ksy', 'mariadb_engine_binlog.ksy'];
const noImports = { importYaml: (name) => Promise.reject(new Error(`the schema stands alone: ${name}`)) };
const files = {};
for (const name of schemas) {
  const schema = YAML.parse(fs.readFileSync(name, 'utf8'));
  Object.assign(files, await KaitaiStructCompiler.compile(values.target, schema, noImports, false));
}
const comment = { python: '#', ruby: '#', perl: '#', lua: '--', nim: '#' }[values.target] ?? '//';

fs.mkdirSync(values.out, { recursive: true });
for (const [name, text] of Object.entries(files)) {
  const stamp = `${comment} Compiler: kaitai-struct-compiler ${KaitaiStructCompiler.version}; command: make compile\n`;
  fs.writeFileSync(path.join(values.out, name), stamp + text);
}
