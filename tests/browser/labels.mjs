// What the Web IDE writes beside a node: the representation of its type, filled in.
const camel = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** The label of an object's node; empty if its type has none. */
export function labelOf(node) {
  return node.label.replace(/{(.*?)}/g, (_, inside) => {
    const [path, format = ''] = inside.split(':');
    const found = resolve(node, path.split('.'));
    return found === undefined ? '' : render(found, format);
  });
}

function resolve(node, parts) {
  let found = node;
  for (const part of parts) {
    if (found?.kind !== 'object') return undefined;
    if (part === '_parent') found = found.parent;
    else if (part !== 'this') found = found.fields[camel(part)];
  }
  return found;
}

function render(node, format) {
  const { kind, value } = node;
  if (kind === 'object') return labelOf(node);
  if (kind === 'array') {
    const separator = format.startsWith('sep=') ? format.slice(4) : ', ';
    return node.items.map((item) => (item.kind === 'object' ? labelOf(item) : '')).join(separator);
  }
  if (kind === 'bytes') return renderBytes(value, format);
  if (kind === 'undefined') return '<no value>';
  if (!Number.isInteger(value)) return String(value);
  if (format === 'dec') return String(value);
  return node.enumName ?? `${value < 0 ? '-' : ''}0x${Math.abs(value).toString(16).toUpperCase()}`;
}

function renderBytes(bytes, format) {
  const hex = hexOf(bytes);
  if (format === 'str') return `"${Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')}"`;
  if (format === 'hex') return `0x${hex}`;
  if (format === 'uuid' && bytes.length === 16) return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return `[${Array.from(bytes.slice(0, 8)).join(', ')}${bytes.length > 8 ? ', ...' : ''}]`;
}

/** For each event the labels of its nodes, in the order in which all of them are opened. */
export function eventLabels(tree, rootNode) {
  return rootNode.fields.events.items.map((event) => {
    const lines = [];
    walk(tree, event, lines, 0);
    return lines;
  });
}

function walk(tree, node, lines, depth) {
  if (node.kind === 'array') node.items.forEach((item) => walk(tree, item, lines, depth + 1));
  if (node.kind !== 'object') return;
  tree.depths[node.className] = Math.min(tree.depths[node.className] ?? depth, depth);
  if (node.label) lines.push(`${node.className}: ${labelOf(node)}`);
  Object.values(node.fields).forEach((field) => walk(tree, field, lines, depth + 1));
  node.closed.forEach((name) => walk(tree, tree.open(node, name), lines, depth + 1));
}
