// The schema and the pinned compiler, for the programs of this folder.
import fs from 'node:fs';
import KaitaiStructCompiler from 'kaitai-struct-compiler';
import YAML from 'yaml';

// The compiler's parser of expressions throws at each step back; the stacks take a fifth of its time.
Error.stackTraceLimit = 0;

export const targets = KaitaiStructCompiler.languages;

export function readSchema(name = 'mysql_binlog') {
  return YAML.parse(fs.readFileSync(new URL(`../../${name}.ksy`, import.meta.url), 'utf8'));
}

// Returns what the compiler makes of the schema for one target: text by file name.
export function compile(target, schema) {
  const noImports = { importYaml: (name) => Promise.reject(new Error(`the schema stands alone: ${name}`)) };
  return KaitaiStructCompiler.compile(target, schema, noImports, false);
}
