// The schemas of a bundle as a graph whose nodes are structures: names of components disappear, circles stay.
import { resolveReference } from '../document/resolve.ts'
import { isObject, type JsonObject, type JsonValue } from '../json.ts'
import { isPureReference, schemaParts, skeletonOf } from './schema-parts.ts'

/** A schema behind its references; `true` for what leads only to itself. */
export type ResolvedSchema = JsonObject | boolean

export class SchemaGraph {
  readonly bundle: JsonObject
  /** By node: the schema, its own requirements as text, and the nodes below in the order of their labels. */
  readonly schemas: ResolvedSchema[] = []
  readonly skeletons: string[] = []
  readonly targets: (readonly number[])[] = []
  readonly #nodes = new Map<ResolvedSchema, number>()

  constructor(bundle: JsonObject) {
    this.bundle = bundle
  }

  /** Returns the node of a schema; everything that it reaches is in the graph then. */
  nodeOf(schema: JsonValue): number {
    const node = this.#add(schema)
    for (let next = this.targets.length; next < this.schemas.length; next = this.targets.length)
      this.#expand(next)
    return node
  }

  #add(schema: JsonValue): number {
    const resolved = this.resolve(schema)
    const known = this.#nodes.get(resolved)
    if (known !== undefined) return known
    const node = this.schemas.push(resolved) - 1
    this.#nodes.set(resolved, node)
    return node
  }

  #expand(node: number): void {
    const schema = this.schemas[node]!
    if (typeof schema === 'boolean') {
      this.skeletons.push(schema ? '[[],[]]' : 'false')
      this.targets.push([])
      return
    }
    const parts = schemaParts(schema)
    this.skeletons.push(skeletonOf(parts))
    this.targets.push(parts.children.map(([, child]) => this.#add(child)))
  }

  /** Returns the schema behind references that have no requirements beside them. */
  resolve(schema: JsonValue): ResolvedSchema {
    const passed = new Set<JsonValue>()
    let value = schema
    while (isObject(value) && isPureReference(value)) {
      if (passed.has(value)) return true
      passed.add(value)
      value = resolveReference(this.bundle, value.$ref as string)
    }
    return isObject(value) || typeof value === 'boolean' ? value : true
  }
}
