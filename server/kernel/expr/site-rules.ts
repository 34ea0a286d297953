// Checks what an expression can read at its site (docs/reference/resolution-and-dates.md).
import { viewerDependent, type ScopeKind } from '../components/scopes.ts'
import { formulaReads, linkFunction, type Library } from './library.ts'
import { fieldOf, type NameScope } from './names.ts'
import type { ExprProblem } from './problem.ts'
import type { Reads } from './reads.ts'
import { walk, type Span, type TypedExpression } from './typed-tree.ts'

export interface SiteCheck {
  problems: ExprProblem[]
  /** True if a dated set is read, directly or through a function: an as-of date is needed. */
  dated: boolean
  /** The field of the reading record with the as-of date; null if it is passed explicitly. */
  asOfField: { object: string; field: string } | null
}

/** One read of a set or flag, at the place in the source that leads to it. */
interface PlacedRead extends Span {
  kind: 'set' | 'flag'
  key: string
  /** The calc function or virtual formula field that leads to the read; null if it is direct. */
  through: string | null
  /** The as-of date comes from the record of the formula field itself. */
  ownDate: boolean
}

export function siteRules(tree: TypedExpression, scope: NameScope, library: Library): SiteCheck {
  const reads = placedReads(tree, library)
  const viewer = scope.stored ? reads.flatMap((read) => viewerProblem(read, scope.title, library)) : []
  const { problems, ...asOf } = asOfRules(reads, scope, library)
  const own = scope.ownFields ? ownFieldProblems(tree, library) : []
  return { ...asOf, problems: [...own, ...viewer, ...problems] }
}

/** A roll-up follows the changes of its children, but not those of what the children refer to or compute when they are read. */
function ownFieldProblems(tree: TypedExpression, { view }: Library): ExprProblem[] {
  return [...walk(tree)].flatMap((node): ExprProblem[] => {
    if (node.op !== 'field') return []
    const [first, ...along] = node.steps
    const { object, field: name, start, end } = first!
    const isVirtual = fieldOf(view, object, name)?.formula?.stored === false
    if (along.length === 0 && !isVirtual) return []
    const why = isVirtual
      ? `${name} is a virtual formula, which is computed when it is read.`
      : `${[name, ...along.map((step) => step.field)].join('.')} is a field of another record.`
    const message = `The filter of a roll-up reads stored fields of the child alone. ${why} Add a stored formula to ${object} and read that.`
    return [{ code: 'expr.rollup_reads', message, start, end }]
  })
}

/** Checks what a roll-up reads through the virtual formula that it rolls up: its own value is stored (docs/reference/resolution-and-dates.md). */
export function rollupProblems(child: string, of: string, library: Library): ExprProblem[] {
  const reads = formulaReads(library, child, of)
  const place = { start: 0, end: 0, through: `formula ${child}.${of}`, ownDate: true }
  const sets = (reads?.deepSets ?? []).map(({ set }): PlacedRead => ({ kind: 'set', key: set, ...place }))
  const flags = (reads?.deepFlags ?? []).map((key): PlacedRead => ({ kind: 'flag', key, ...place }))
  return [...sets, ...flags].flatMap((read) => viewerProblem(read, 'a roll-up', library))
}

function placedReads(tree: TypedExpression, library: Library): PlacedRead[] {
  const placedReads: PlacedRead[] = []
  const behind = (reads: Reads | null, span: Span, through: string, ownDate: boolean): void => {
    const place = { start: span.start, end: span.end, through, ownDate }
    for (const { set } of reads?.deepSets ?? []) placedReads.push({ kind: 'set', key: set, ...place })
    for (const flag of reads?.deepFlags ?? []) placedReads.push({ kind: 'flag', key: flag, ...place })
  }
  for (const node of walk(tree)) {
    const direct = { through: null, ownDate: false }
    if (node.op === 'row') placedReads.push({ kind: 'set', key: node.set, ...node.name, ...direct })
    else if (node.op === 'flag') placedReads.push({ kind: 'flag', key: node.flag, ...node.name, ...direct })
    else if (node.op === 'calc') {
      const linked = linkFunction(library, node.function)
      if (linked !== null && linked !== 'cycle')
        behind(linked.reads, node.name, `calc function ${node.function}`, false)
    } else if (node.op === 'field')
      for (const step of node.steps)
        behind(
          formulaReads(library, step.object, step.field),
          step,
          `formula ${step.object}.${step.field}`,
          true,
        )
  }
  return placedReads
}

/** What an author can do instead, by the title of the site. */
const otherWays: Readonly<Record<string, string>> = {
  'a roll-up': 'roll up a field that does not read it',
  'a default': 'remove the default',
}

function viewerProblem(read: PlacedRead, title: string, { view }: Library): ExprProblem[] {
  const scopes: readonly ScopeKind[] =
    (read.kind === 'set' ? view.get('config_set', read.key) : view.get('feature_flag', read.key))?.body
      .scopes ?? []
  const kinds = scopes.filter((kind) => viewerDependent[kind])
  if (kinds.length === 0) return []
  const name = read.kind === 'set' ? `config.${read.key}` : `flag.${read.key}`
  const way = read.through === null ? '' : ` It is read through ${read.through}.`
  const other = otherWays[title] ?? 'make the formula virtual'
  const message =
    `${name} can vary by ${kinds.join(', ')}, so it differs between viewers, but the value of ${title} is stored once for all of them.${way} ` +
    `Read a ${read.kind} of org, environment and app scopes only, or ${other}.`
  return [{ code: 'expr.viewer_dependent', message, start: read.start, end: read.end }]
}

interface DatedRead extends PlacedRead {
  /** Fields of the reader that the set lists. */
  fields: string[]
}

function asOfRules(reads: readonly PlacedRead[], scope: NameScope, { view }: Library): SiteCheck {
  const { reader } = scope
  const problems: ExprProblem[] = []
  const dated: DatedRead[] = []
  for (const read of reads) {
    if (read.kind !== 'set' || read.ownDate) continue
    const set = view.get('config_set', read.key)?.body
    if (set?.effectiveDated !== true) continue
    const listed = set.asOfField ?? []
    const fields =
      reader === null
        ? []
        : listed.filter((path) => path.startsWith(`${reader}.`)).map((path) => path.slice(reader.length + 1))
    if (reader !== null && fields.length === 0) problems.push(notAReaderProblem(read, reader, listed))
    dated.push({ ...read, fields })
  }
  const usable = dated.filter(({ fields }) => fields.length > 0)
  const [first] = usable
  if (reader === null || first === undefined) return { problems, dated: dated.length > 0, asOfField: null }
  let common = first.fields
  for (const read of usable) {
    const shared = common.filter((field) => read.fields.includes(field))
    if (shared.length === 0) problems.push(mixedDatesProblem(first, read, reader))
    else common = shared
  }
  return { problems, dated: true, asOfField: { object: reader, field: common[0]! } }
}

function notAReaderProblem(read: PlacedRead, reader: string, listed: readonly string[]): ExprProblem {
  const way = read.through === null ? '' : ` It is read through ${read.through}.`
  const now = listed.length === 0 ? 'it lists none' : `it lists ${listed.join(', ')}`
  const message =
    `${read.key} is effective-dated, but its asOfField has no field of ${reader} (${now}), so the as-of date is not defined.${way} ` +
    `Add ${reader}.<date field> to the asOfField of ${read.key}.`
  return { code: 'expr.not_a_reader', message, start: read.start, end: read.end }
}

function mixedDatesProblem(first: DatedRead, other: DatedRead, reader: string): ExprProblem {
  const message =
    `${first.key} uses the date ${reader}.${first.fields[0]!} and ${other.key} uses ${reader}.${other.fields[0]!}: all dated sets of ` +
    `one expression must use the same date. List one field in both, or split the expression into two fields.`
  return { code: 'expr.as_of_mixed', message, start: other.start, end: other.end }
}
