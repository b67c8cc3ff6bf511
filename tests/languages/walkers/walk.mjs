// node walk.mjs CODE SHAPE LOG...
// Prints the canonical text of logs, each after a line `log PATH`, from the JavaScript that the schema compiles to.
// CODE is the compiled file, SHAPE the lines of tests/languages/shape.py. Rounded integers; see
// docs/format/conformance.md.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);
const KaitaiStream = require('kaitai-struct/KaitaiStream');

const upperCamel = (id) => id.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');

function lowerCamel(id) {
  const name = upperCamel(id);
  return id.startsWith('_') ? id : name.charAt(0).toLowerCase() + name.slice(1);
}

// Returns a map from the generated classes to their names and fields.
function readShapes(text, Root) {
  const types = new Map();
  let type;
  for (const line of text.trimEnd().split('\n')) {
    const [kind, name, valueKind] = line.split(' ');
    if (kind === 'type') {
      const owner = types.size === 0 ? Root : Root[upperCamel(name)];
      type = { name, owner, fields: [] };
      types.set(owner, type);
    } else {
      const member = lowerCamel(name);
      if (kind === 'instance' && !Object.hasOwn(type.owner.prototype, member)) {
        throw new Error(`JavaScript has no instance ${name} in ${type.name}`);
      }
      const labels = valueKind.startsWith('enum:') ? Root[upperCamel(valueKind.slice(5))] : undefined;
      type.fields.push({ name, member, labels });
    }
  }
  return types;
}

function numberText(value) {
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) {
    return String(value);
  }
  const bits = Buffer.alloc(8);
  bits.writeDoubleBE(value);
  return `~${Number.isNaN(value) ? '7ff8000000000000' : bits.toString('hex')}`;
}

const escapeCharacter = (character) => `\\${character.charCodeAt(0).toString(16).padStart(2, '0')}`;

function scalarText(value) {
  if (typeof value === 'number') {
    return numberText(value);
  }
  if (typeof value === 'string') {
    return `"${value.replace(/[\x00-\x1f\x7f\\]/g, escapeCharacter)}"`;
  }
  if (value instanceof Uint8Array) {
    return `<${Buffer.from(value.buffer, value.byteOffset, value.length).toString('hex')}>`;
  }
  if (typeof value === 'boolean') {
    return String(value);
  }
  throw new TypeError(`a value of no type of the schema: ${String(value)}`);
}

class Walker {
  constructor(Root, types) {
    this.Root = Root;
    this.types = types;
  }

  lines(file) {
    const { name, fields } = this.types.get(this.Root);
    const bytes = new Uint8Array(fs.readFileSync(file));
    let root;
    try {
      root = new this.Root(new KaitaiStream(bytes.buffer));
    } catch {
      return [`${name} !`];
    }
    const lines = [`${name} ${name}`];
    for (const field of fields) {
      if (field.name !== 'events') {
        this.addField(lines, ' ', root, field);
      } else if (root.events !== undefined) {
        lines.push(` events [${root.events.length}]`);
        root.events.forEach((event, index) => lines.push(...this.eventLines(index, event)));
      }
    }
    return lines;
  }

  eventLines(index, event) {
    const lines = [];
    try {
      this.add(lines, `  ${index}`, '  ', event);
    } catch {
      return [`  ${index} !`];
    }
    return lines;
  }

  addField(lines, indent, owner, { name, member, labels }) {
    const value = owner[member];
    if (value !== undefined && (labels === undefined || labels[value] !== undefined)) {
      this.add(lines, indent + name, indent, value);
    }
  }

  add(lines, label, indent, value) {
    const inner = `${indent} `;
    const type = typeof value === 'object' ? this.types.get(value.constructor) : undefined;
    if (type !== undefined) {
      lines.push(`${label} ${type.name}`);
      for (const field of type.fields) {
        this.addField(lines, inner, value, field);
      }
    } else if (Array.isArray(value)) {
      lines.push(`${label} [${value.length}]`);
      value.forEach((item, index) => this.add(lines, `${inner}${index}`, inner, item));
    } else {
      lines.push(`${label} ${scalarText(value)}`);
    }
  }
}

const [code, shape, ...logs] = process.argv.slice(2);
const module = {};
new Function('exports', 'require', fs.readFileSync(code, 'utf8'))(module, require);
const Root = module[path.basename(code, '.js')];
const walker = new Walker(Root, readShapes(fs.readFileSync(shape, 'utf8'), Root));
for (const log of logs) {
  fs.writeSync(1, `log ${log}\n`);
  fs.writeSync(1, `${walker.lines(log).join('\n')}\n`);
}
