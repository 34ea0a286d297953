// Digests of the nodes of a schema graph: equal for equal structures, with any names of components and in any circle of
// references.
import type { Sha256 } from '#kernel/change/sha256.ts'
import type { SchemaGraph } from './schema-graph.ts'

export class StructureDigests {
  readonly #graph: SchemaGraph
  readonly #sha256: Sha256
  readonly #digests = new Map<number, string>()
  /** Strongly connected components: the order in which nodes were found, and the earliest node each reaches. */
  readonly #found = new Map<number, number>()
  readonly #earliest = new Map<number, number>()
  readonly #open: number[] = []
  readonly #isOpen = new Set<number>()
  /** By node in a circle. */
  readonly #circles = new Map<number, Circle>()

  constructor(graph: SchemaGraph, sha256: Sha256) {
    this.#graph = graph
    this.#sha256 = sha256
  }

  /** Returns 64 hexadecimal digits. */
  digestOf(node: number): string {
    if (!this.#found.has(node)) this.#visit(node)
    const known = this.#digests.get(node)
    if (known !== undefined) return known
    const digest = this.#sha256(this.#circles.get(node)!.textFrom(node))
    this.#digests.set(node, digest)
    return digest
  }

  /** Finds circles without recursion: chains of references can be long. */
  #visit(root: number): void {
    const stack: { node: number; next: number }[] = [this.#enter(root)]
    while (stack.length > 0) {
      const top = stack.at(-1)!
      const targets = this.#graph.targets[top.node]!
      if (top.next < targets.length) {
        const target = targets[top.next]!
        top.next += 1
        if (!this.#found.has(target)) stack.push(this.#enter(target))
        else if (this.#isOpen.has(target)) this.#lower(top.node, this.#found.get(target)!)
        continue
      }
      stack.pop()
      const above = stack.at(-1)
      if (above !== undefined) this.#lower(above.node, this.#earliest.get(top.node)!)
      if (this.#earliest.get(top.node) === this.#found.get(top.node)) this.#close(top.node)
    }
  }

  #enter(node: number): { node: number; next: number } {
    const order = this.#found.size
    this.#found.set(node, order)
    this.#earliest.set(node, order)
    this.#open.push(node)
    this.#isOpen.add(node)
    return { node, next: 0 }
  }

  #lower(node: number, order: number): void {
    if (order < this.#earliest.get(node)!) this.#earliest.set(node, order)
  }

  #close(node: number): void {
    const members = this.#open.splice(this.#open.lastIndexOf(node))
    for (const member of members) this.#isOpen.delete(member)
    if (members.length === 1 && !this.#graph.targets[node]!.includes(node)) {
      const below = this.#graph.targets[node]!.map((target) => this.digestOf(target))
      this.#digests.set(node, this.#sha256(JSON.stringify([this.#graph.skeletons[node]!, below])))
      return
    }
    const circle = new Circle(members, this.#graph, (outside) => this.digestOf(outside))
    for (const member of members) this.#circles.set(member, circle)
  }
}

/** Nodes that reach each other. Equal ones are merged, so that the text from a node depends on its structure only. */
class Circle {
  /** Class of each node, and by class its requirements with what is outside, and its classes inside. */
  readonly #classes: Map<number, number>
  readonly #own: string[] = []
  readonly #inside: number[][] = []

  constructor(members: readonly number[], graph: SchemaGraph, digestOf: (outside: number) => string) {
    const isMember = new Set(members)
    const own = new Map<number, string>()
    const inside = new Map<number, number[]>()
    for (const node of members) {
      const targets = graph.targets[node]!
      const outside = targets.map((target) => (isMember.has(target) ? null : digestOf(target)))
      own.set(node, JSON.stringify([graph.skeletons[node]!, outside]))
      inside.set(
        node,
        targets.filter((target) => isMember.has(target)),
      )
    }
    this.#classes = mergeEqual(members, own, inside)
    for (const node of members) {
      const at = this.#classes.get(node)!
      this.#own[at] ??= own.get(node)!
      this.#inside[at] ??= inside.get(node)!.map((target) => this.#classes.get(target)!)
    }
  }

  /** Numbers the classes in the order in which they are reached from the node. */
  textFrom(node: number): string {
    const start = this.#classes.get(node)!
    const numbers = new Map([[start, 0]])
    const reached = [start]
    const parts: string[] = []
    for (let at = 0; at < reached.length; at += 1) {
      const each = reached[at]!
      const targets = this.#inside[each]!.map((target) => {
        if (!numbers.has(target)) numbers.set(target, reached.push(target) - 1)
        return numbers.get(target)!
      })
      parts.push(JSON.stringify([this.#own[each]!, targets]))
    }
    return `circle ${parts.join('\n')}`
  }
}

/** Returns a class for each node; two nodes share one if nothing that can be reached distinguishes them. */
function mergeEqual(
  members: readonly number[],
  own: ReadonlyMap<number, string>,
  inside: ReadonlyMap<number, readonly number[]>,
): Map<number, number> {
  let classes = numbered(members, (node) => own.get(node)!)
  for (let count = 0; ;) {
    const before = count
    count = new Set(classes.values()).size
    if (count === before) return classes
    const current = classes
    classes = numbered(members, (node) =>
      [current.get(node)!, ...inside.get(node)!.map((target) => current.get(target)!)].join(),
    )
  }
}

function numbered(members: readonly number[], signature: (node: number) => string): Map<number, number> {
  const numbers = new Map<string, number>()
  return new Map(
    members.map((node) => {
      const text = signature(node)
      const number = numbers.get(text) ?? numbers.size
      numbers.set(text, number)
      return [node, number]
    }),
  )
}
