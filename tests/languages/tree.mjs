// node tests/languages/tree.mjs [--event INDEX] LOG...
// Prints, as lines of JSON, what the JavaScript that the schema compiles to reads in the logs: first the shapes
// of the types, then for each log its path and a digest of the root and of each event, as tree.py makes them.
// With --event, the tree of that event (or of the `root`) in full instead of the digests.
import crypto from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { compile, readSchema } from './compiler.mjs';

const require = createRequire(import.meta.url);
const KaitaiStream = require('kaitai-struct/KaitaiStream');
const RUNTIME_ERRORS = Object.entries(KaitaiStream).filter(([name]) => name.endsWith('Error')).map(([, kind]) => kind);
const NAN = '7ff8000000000000';
const ERROR = { $error: true };

// Returns the names of the fields of a type and of the types within it, in the order of the schema.
function shapeOf(type) {
  return {
    seq: (type.seq ?? []).map((field, index) => field.id ?? `_unnamed${index}`),
    instances: Object.keys(type.instances ?? {}),
    types: Object.fromEntries(Object.entries(type.types ?? {}).map(([name, inner]) => [name, shapeOf(inner)])),
  };
}

const upperCamel = (id) => id.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');

function lowerCamel(id) {
  if (id.startsWith('_')) {
    return id;
  }
  const name = upperCamel(id);
  return name.charAt(0).toLowerCase() + name.slice(1);
}

// Fills a map from the generated classes to their names and shapes.
function addClasses(classes, owner, name, shape) {
  for (const id of shape.instances) {
    if (!Object.hasOwn(owner.prototype, lowerCamel(id))) {
      throw new Error(`JavaScript has no instance ${id} in ${name}`);
    }
  }
  classes.set(owner, { name, shape });
  for (const [id, inner] of Object.entries(shape.types)) {
    addClasses(classes, owner[upperCamel(id)], `${name}.${id}`, inner);
  }
  return classes;
}

// An integer that a double cannot tell from its neighbours goes as the nearest double, as do fractions.
function numberTree(value) {
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) {
    return value;
  }
  const bits = Buffer.alloc(8);
  bits.writeDoubleBE(value);
  return { $double: Number.isNaN(value) ? NAN : bits.toString('hex') };
}

function valueTree(value, classes) {
  if (typeof value === 'number') {
    return numberTree(value);
  }
  if (typeof value === 'string' || typeof value === 'boolean') {
    return value;
  }
  if (value instanceof Uint8Array) {
    return { $bytes: Buffer.from(value).toString('hex') };
  }
  if (Array.isArray(value)) {
    return value.map((item) => valueTree(item, classes));
  }
  return objectTree(value, classes);
}

function objectTree(value, classes, left_out) {
  const known = classes.get(value?.constructor);
  if (known === undefined) {
    throw new TypeError(`a value of no type of the schema: ${String(value)}`);
  }
  const tree = { $type: known.name };
  for (const id of known.shape.seq) {
    const field = value[lowerCamel(id)];
    if (field !== undefined && id !== left_out) {
      tree[id] = valueTree(field, classes);
    }
  }
  for (const id of known.shape.instances) {
    const field = orError(() => value[lowerCamel(id)]);
    if (field !== undefined) {
      tree[id] = field === ERROR ? ERROR : valueTree(field, classes);
    }
  }
  return tree;
}

function orError(evaluate) {
  try {
    return evaluate();
  } catch (error) {
    if (RUNTIME_ERRORS.some((kind) => error instanceof kind)) {
      return ERROR;
    }
    throw error;
  }
}

// Yields a name and a tree for the root without its events, then for each event.
function* logTrees(path, Root, classes) {
  const bytes = new Uint8Array(fs.readFileSync(path));
  const root = orError(() => new Root(new KaitaiStream(bytes.buffer)));
  if (root === ERROR) {
    yield ['root', ERROR];
    return;
  }
  yield ['root', objectTree(root, classes, 'events')];
  for (const [index, event] of (root.events ?? []).entries()) {
    yield [String(index), objectTree(event, classes)];
  }
}

const { values, positionals } = parseArgs({ options: { event: { type: 'string' } }, allowPositionals: true });
const schema = readSchema();
const shape = shapeOf(schema);
const files = Object.values(await compile('javascript', schema));
const module = {};
new Function('exports', 'require', files[0])(module, require);
const Root = module[upperCamel(schema.meta.id)];
const classes = addClasses(new Map(), Root, schema.meta.id, shape);

console.log(JSON.stringify({ schema: schema.meta.id, shape }));
for (const path of positionals) {
  const trees = {};
  for (const [name, tree] of logTrees(path, Root, classes)) {
    const text = JSON.stringify(tree);
    if (values.event === undefined) {
      trees[name] = `${tree.header?.type_code ?? ''} ${crypto.createHash('sha256').update(text).digest('hex')}`;
    } else if (values.event === name) {
      trees[name] = tree;
    }
  }
  console.log(JSON.stringify({ path, trees }));
}
