// The evaluation behind a stored formula as one with declared inputs, so that evidence of it needs no records
// (docs/reference/bindings-and-evidence.md).
import type { FieldValue } from '../components/field-types.ts'
import type { EvaluationInput } from '../config/index.ts'
import { exprValueFromField, fieldsAsInputs, toCanonicalJson } from '../expr/index.ts'
import { fieldAlong, type CellEvaluation } from './evaluate-cell.ts'
import { objectPrograms } from './object-programs.ts'
import type { RecordSnapshot } from './record-state.ts'

export interface CellQuestion {
  expression: string
  inputs: EvaluationInput[]
  /** Canonical JSON text of the stored value. */
  value: string
}

/**
 * Null for a roll-up, which reads other records.
 * @param object the key of the object in the generation of the evaluation
 */
export function cellQuestion(
  snapshot: RecordSnapshot,
  object: string,
  { field, expression: source, inputs: read }: CellEvaluation,
  value: FieldValue,
): CellQuestion | null {
  const programs = objectPrograms(snapshot.view, object)
  if (field.formula === undefined || source === null || programs === null) return null
  const names = inputNames(read.map(({ path }) => path))
  const nameOf = (path: readonly string[]): string => names.get(path.join('.'))!
  const site = { kind: 'stored_formula', object, field: field.key } as const
  const expression = fieldsAsInputs(source, site, snapshot.view, nameOf)
  return {
    // A stored number is rounded once, to the scale of its field.
    expression: field.type === 'number' ? `round(${expression}, ${field.scale ?? 0})` : expression,
    inputs: read
      .map(({ path, value: input }) => {
        const type = fieldAlong(snapshot, programs, path)!.type
        const inputType = type === 'enum' || type === 'reference' ? ('text' as const) : type
        return { key: nameOf(path), type: inputType, value: input as EvaluationInput['value'] }
      })
      .sort((a, b) => (a.key < b.key ? -1 : 1)),
    value: toCanonicalJson(exprValueFromField(field.type, value)),
  }
}

/** By dotted path. A path along references is joined: `customer.country` is `customer_country`. */
function inputNames(paths: readonly (readonly string[])[]): Map<string, string> {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  for (const path of [...paths].sort((a, b) => a.length - b.length)) {
    let name = path.join('_')
    while (taken.has(name)) name += '_'
    taken.add(name)
    names.set(path.join('.'), name)
  }
  return names
}
