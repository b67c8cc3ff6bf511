// node tools/compile_schema.mjs [--schema FILE] [--target python] [--out compiled] [--package NAME]
// Compiles a schema, or both of the project, with the pinned npm compiler and writes what it makes into the folder.
// NAME is the package of the generated Go; the other targets need none.
// Bytes that are no text become U+FFFD in Python, as in JavaScript and Java: its `decode` would raise an error that is
// none of the runtime's.
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import KaitaiStructCompiler from 'kaitai-struct-compiler';
import YAML from 'yaml';

const { values } = parseArgs({
  options: {
    schema: { type: 'string' },
    target: { type: 'string', default: 'python' },
    out: { type: 'string', default: 'compiled' },
    package: { type: 'string' },
  },
});
const schemas = values.schema ? [values.schema] : ['mysql_binlog.ksy', 'mariadb_engine_binlog.ksy'];
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
  const lenient = values.target === 'python' ? text.replace(/\.decode\(u"([\w-]+)"\)/g, '.decode(u"$1", u"replace")') : text;
  // The compiler has no option for the package of Go here, and writes none.
  const head = values.package === undefined ? '' : `package ${values.package}\n\n`;
  // A file of PHP has to begin with its tag.
  const content = values.target === 'php' ? text.replace('<?php\n', `<?php\n${stamp}`) : stamp + head + lenient;
  fs.writeFileSync(path.join(values.out, name), content);
}
