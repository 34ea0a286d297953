// Finds what an expression reads without evaluating it: for bindings, where-used, rename and the compile rules.
import { partsOf, walk, type TypedExpression } from './typed-tree.ts'

export interface SetRead {
  set: string
  fields: string[]
}

/** Every list is sorted and without duplicates. Names that the metadata does not contain are listed too. */
export interface Reads {
  sets: SetRead[]
  flags: string[]
  functions: string[]
  /** The same, including what calc functions and virtual formula fields read in turn. */
  deepSets: SetRead[]
  deepFlags: string[]
  deepFunctions: string[]
  /** Whether a value of configuration can decide what is read of it: with which key, or whether at all. */
  followsValues: boolean
  /** Every step of every dotted path. */
  fields: { object: string; field: string }[]
  /** Named credentials of (refused) callouts. */
  credentials: string[]
}

/** Gives `readsOf` the reads of the functions and formulas behind a name. */
export interface ReadsResolver {
  ofFunction: (name: string) => Reads | null
  /** Null if the field is not a virtual formula. */
  ofField: (object: string, field: string) => Reads | null
}

export function readsOf(tree: TypedExpression, deep: ReadsResolver): Reads {
  const own = new ReadsCollector()
  const all = new ReadsCollector()
  const fields = new Map<string, { object: string; field: string }>()
  const credentials = new Set<string>()
  const behind: Reads[] = []
  for (const node of walk(tree)) {
    if (node.op === 'row') own.set(node.set, [])
    else if (node.op === 'config') own.set(node.row.set, [node.field])
    else if (node.op === 'flag') own.flags.add(node.flag)
    else if (node.op === 'calc') {
      own.functions.add(node.function)
      behind.push(deep.ofFunction(node.function) ?? noReads)
    } else if (node.op === 'error' && node.credential !== undefined) credentials.add(node.credential)
    else if (node.op === 'field')
      for (const { object, field } of node.steps) {
        fields.set(`${object}.${field}`, { object, field })
        behind.push(deep.ofField(object, field) ?? noReads)
      }
  }
  for (const reads of behind) all.addDeep(reads)
  const direct = own.finish()
  all.addDirect(direct)
  const { sets: deepSets, flags: deepFlags, functions: deepFunctions } = all.finish()
  const steps = [...fields.keys()].sort().map((key) => fields.get(key)!)
  return {
    ...direct,
    deepSets,
    deepFlags,
    deepFunctions,
    followsValues: behind.some(({ followsValues }) => followsValues) || followsValues(tree, deep),
    fields: steps,
    credentials: [...credentials].sort(),
  }
}

export const noReads: Reads = {
  sets: [],
  flags: [],
  functions: [],
  deepSets: [],
  deepFlags: [],
  deepFunctions: [],
  followsValues: false,
  fields: [],
  credentials: [],
}

type Direct = Pick<Reads, 'sets' | 'flags' | 'functions'>

class ReadsCollector {
  readonly sets = new Map<string, Set<string>>()
  readonly flags = new Set<string>()
  readonly functions = new Set<string>()

  set(set: string, fields: readonly string[]): void {
    const known = this.sets.get(set) ?? new Set()
    this.sets.set(set, known)
    for (const field of fields) known.add(field)
  }

  addDirect({ sets, flags, functions }: Direct): void {
    for (const { set, fields } of sets) this.set(set, fields)
    for (const flag of flags) this.flags.add(flag)
    for (const name of functions) this.functions.add(name)
  }

  addDeep(reads: Reads): void {
    this.addDirect({ sets: reads.deepSets, flags: reads.deepFlags, functions: reads.deepFunctions })
  }

  finish(): Direct {
    const sets = [...this.sets.keys()].sort().map((set) => ({ set, fields: [...this.sets.get(set)!].sort() }))
    return { sets, flags: [...this.flags].sort(), functions: [...this.functions].sort() }
  }
}

/** Whether a value of configuration is the key or the argument of another read, or decides whether it takes place. */
function followsValues(tree: TypedExpression, deep: ReadsResolver): boolean {
  const reading = new Set<TypedExpression>()
  const reads = (parts: readonly (TypedExpression | null)[]): boolean =>
    parts.some((part) => part !== null && reading.has(part))
  // Parts come before what they are part of.
  for (const node of [...walk(tree)].reverse()) {
    if (readsConfiguration(node, deep) || reads(partsOf(node))) reading.add(node)
    const [first, then] = decided(node, deep)
    if (reads(first) && (then === 'always' || reads(then))) return true
  }
  return false
}

function readsConfiguration(node: TypedExpression, deep: ReadsResolver): boolean {
  if (node.op === 'row' || node.op === 'flag') return true
  if (node.op === 'calc') return isBound(deep.ofFunction(node.function))
  return node.op === 'field' && node.steps.some(({ object, field }) => isBound(deep.ofField(object, field)))
}

const isBound = (reads: Reads | null): boolean =>
  reads !== null && reads.deepSets.length + reads.deepFlags.length > 0

type Parts = readonly (TypedExpression | null)[]

/** The parts of a node that decide what its other parts read, or what the node itself always reads. */
function decided(node: TypedExpression, deep: ReadsResolver): [by: Parts, of: Parts | 'always'] {
  if (node.op === 'row') return [[node.key], 'always']
  if (node.op === 'calc') return isBound(deep.ofFunction(node.function)) ? [node.args, 'always'] : [[], []]
  if (node.op === 'choose') return [[node.when], [node.then, node.otherwise]]
  if (node.op === 'and' || node.op === 'or') return [[node.left], [node.right]]
  if (node.op === 'macro')
    return [
      [node.over, node.test],
      [node.test, node.result],
    ]
  return [[], []]
}
