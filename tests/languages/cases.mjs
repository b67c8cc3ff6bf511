// node tests/languages/cases.mjs < CASES
// Compiles small schemas. CASES is a list of {schema, target}, in JSON; so is what it prints: the text of each.
import fs from 'node:fs';
import YAML from 'yaml';
import { compile } from './compiler.mjs';

const texts = [];
for (const { schema, target } of JSON.parse(fs.readFileSync(0, 'utf8'))) {
  texts.push(Object.values(await compile(target, YAML.parse(schema))).join(''));
}
console.log(JSON.stringify(texts));
