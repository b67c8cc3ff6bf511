// The tree of a parsed log, with the nodes that the Web IDE has before and after a click.
const camel = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
const classOf = (name) => camel(`_${name}`);

/** Types of the schema by the names of their classes; `label` and `isOpen` are what the tree needs. */
export function typesByClass(schema) {
  const types = {};
  const collect = (name, type) => {
    const instances = Object.entries(type.instances ?? {});
    types[classOf(name)] = {
      label: type['-webide-representation'] ?? '',
      instances: new Map(instances.map(([key, instance]) => [camel(key), isOpen(instance)])),
    };
    for (const [innerName, inner] of Object.entries(type.types ?? {})) collect(innerName, inner);
  };
  collect(schema.meta.id, schema);
  return types;
}

function isOpen(instance) {
  const mode = instance['-webide-parse-mode'];
  return mode === 'eager' || (mode !== 'lazy' && 'value' in instance);
}

export class Tree {
  /**
   * Of all nodes made so far: number of objects by class and of what is below them, most nodes below one by class,
   * and instances that failed. `depths` are how many nodes are opened to see one of a class.
   */
  constructor(types, Root) {
    Object.assign(this, { types, Root, counts: {}, numNodes: 0, widest: {}, depths: {}, errors: [] });
  }

  /** A value as it is now: an object's node has fields, and names of instances not read yet. */
  node(value, debug, parent) {
    if (value === undefined) return { kind: 'undefined', parent };
    if (value instanceof Uint8Array) return { kind: 'bytes', value, parent };
    if (Array.isArray(value)) {
      return { kind: 'array', parent, items: value.map((item, i) => this.node(item, debug?.arr?.[i], parent)) };
    }
    if (value === null || typeof value !== 'object') {
      return { kind: 'primitive', value, parent, enumName: this.enumName(value, debug) };
    }
    return this.objectNode(value, parent);
  }

  objectNode(value, parent) {
    const className = value.constructor.name;
    const type = this.types[className];
    const node = { kind: 'object', className, label: type.label, value, parent, fields: {}, closed: [] };
    this.counts[className] = (this.counts[className] ?? 0) + 1;
    for (const name of new Set([...Object.keys(value), ...Object.keys(value._debug)])) {
      if (!name.startsWith('_')) node.fields[name] = this.node(value[name], value._debug[name], node);
    }
    // In the order of the compiled class, as in the Web IDE: reading one instance can read others.
    for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(value))) {
      if (!type.instances.has(name)) continue;
      if (type.instances.get(name) || Object.hasOwn(value, `_m_${name}`)) node.fields[name] = this.open(node, name);
      else node.closed.push(name);
    }
    const numChildren = Object.keys(node.fields).length + node.closed.length;
    this.numNodes += numChildren;
    this.widest[className] = Math.max(this.widest[className] ?? 0, numChildren);
    return node;
  }

  /** The node of an instance, which is read now. */
  open(node, name) {
    let value;
    try {
      value = node.value[name];
    } catch (error) {
      this.errors.push(`${node.className}.${name}: ${error.name}: ${error.message}`);
    }
    return this.node(value, node.value._debug[`_m_${name}`], node);
  }

  enumName(value, debug) {
    if (!debug?.enumName) return undefined;
    return debug.enumName.split('.').slice(1).reduce((scope, part) => scope[part], this.Root)[value];
  }
}
