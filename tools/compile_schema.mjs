// node tools/compile_schema.mjs [--schema FILE] [--target python] [--out compiled] [--package NAME] [--read-write]
// Compiles a schema, or both of the project, with the pinned npm compiler and writes what it makes into the folder.
// NAME is the package of the generated Go; the other targets need none.
// Bytes that are no text become U+FFFD in Python, as in JavaScript and Java: its `decode` would raise an error that is
// none of the runtime's. Of the cases of events and cells the common ones come first, since Python tries one after the
// other. With --read-write, the classes can write what they have read: the option of the compiler for the
// JVM, which its build for npm has within but gives no access to.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import YAML from 'yaml';

const { values } = parseArgs({
  options: {
    schema: { type: 'string' },
    target: { type: 'string', default: 'python' },
    out: { type: 'string', default: 'compiled' },
    package: { type: 'string' },
    'read-write': { type: 'boolean', default: false },
  },
});

// The compiler's parser of expressions throws at each step back; the stacks take a fifth of its time.
Error.stackTraceLimit = 0;

// autoRead, readStoresPos, opaqueTypes, zeroCopySubstream, readWrite
const OPTIONS = '((!debug), debug, false, true, false,';
const OF_WRITERS = '(false, false, false, false, true,';

function loadCompiler() {
  const file = createRequire(import.meta.url).resolve('kaitai-struct-compiler');
  const source = fs.readFileSync(file, 'utf8');
  if (source.split(OPTIONS).length !== 2) {
    throw new Error(`${file}: expected one ${OPTIONS}`);
  }
  const module = { exports: {} };
  new Function('module', 'exports', 'define', values['read-write'] ? source.replace(OPTIONS, OF_WRITERS) : source)(
    module, module.exports, undefined,
  );
  return module.exports;
}

// What is switched on, with its most common cases: the body of an event, and the value of a cell.
const COMMON = {
  body_type: [30, 31, 32, 19, 2, 16, 33, 162, 23, 24, 25, 160],
  value_kind: [3, 1000, 8, 15, 246, 18, 17, 254, 1, 252, 10, 5],
};
const LADDER = /^( +)_on = .+\.(body_type|value_kind)\n\1if _on == \d+:\n(?:\1 .*\n|\n)*(?:\1elif _on == \d+:\n(?:\1 .*\n|\n)*){20,}/gm;

function commonFirst(python) {
  return python.replace(LADDER, (ladder, indent, name) => {
    const rank = (text) => (COMMON[name].indexOf(parseInt(text, 10)) + 1 || Infinity);
    const [head, ...cases] = ladder.split(new RegExp(`^${indent}(?:el)?if _on == `, 'm'));
    cases.sort((one, other) => (rank(one) === rank(other) ? 0 : rank(one) - rank(other)));
    return head + cases.map((text, i) => `${indent}${i === 0 ? 'if' : 'elif'} _on == ${text}`).join('');
  });
}

function pythonText(python) {
  return commonFirst(python).replace(/\.decode\(u"([\w-]+)"\)/g, '.decode(u"$1", u"replace")');
}

const KaitaiStructCompiler = loadCompiler();
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
  const lenient = values.target === 'python' ? pythonText(text) : text;
  // The compiler has no option for the package of Go here, and writes none.
  const head = values.package === undefined ? '' : `package ${values.package}\n\n`;
  // A file of PHP has to begin with its tag.
  const content = values.target === 'php' ? text.replace('<?php\n', `<?php\n${stamp}`) : stamp + head + lenient;
  fs.writeFileSync(path.join(values.out, name), content);
}
