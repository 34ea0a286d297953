// Checks that precision, scale, valueSet and references match the type of a field, for sets, objects and events.
import type { FindingCode } from '../errors/finding-codes.ts'
import type { Finding } from '../errors/finding.ts'
import type { ComponentType } from './component.ts'
import { pointer } from './pointer.ts'
import { errorFinding } from './report.ts'

interface TypedField {
  key: string
  type: string
  precision?: number
  scale?: number
  valueSet?: string
  references?: string
}

/** Which type each property belongs to, and its description in messages. */
const companions = [
  {
    property: 'precision',
    type: 'number',
    words: '"precision"',
    example: 'how many digits it has in total, such as 12',
  },
  {
    property: 'scale',
    type: 'number',
    words: '"scale"',
    example: 'how many digits it has after the decimal point, such as 2',
  },
  {
    property: 'valueSet',
    type: 'enum',
    words: 'value set',
    example: 'the value set with its values',
  },
  { property: 'references', type: 'reference', words: 'target', example: 'the object that it refers to' },
] as const

/** Reports missing and superfluous properties for the type of a field, and a scale above the precision. `steps` lead to the field. */
export function fieldShapeFindings(
  component: { type: ComponentType; key: string },
  steps: readonly (string | number)[],
  field: TypedField,
  code: FindingCode,
): Finding[] {
  const findings: Finding[] = []
  for (const { property, type, words, example } of companions) {
    const isPresent = field[property] !== undefined
    if (isPresent === (field.type === type)) continue
    const message = isPresent
      ? `${field.key} is of type ${field.type}, so it has no ${words}. Remove it, or make the type ${type}.`
      : `${field.key} is of type ${type} but has no ${words}. Specify ${example}.`
    findings.push(errorFinding(component, pointer(...steps, property), code, message))
  }
  if (field.scale !== undefined && field.precision !== undefined && field.scale > field.precision) {
    const message =
      `${field.key} has ${field.scale} digits after the decimal point but only ${field.precision} in total. ` +
      `Raise "precision" to at least ${field.scale}, or lower "scale".`
    findings.push(errorFinding(component, pointer(...steps, 'scale'), code, message))
  }
  return findings
}
