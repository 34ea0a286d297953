// precision, scale, valueSet and references belong to certain field types; shared by sets, objects and events.
import type { FindingCode } from '../errors/finding-codes.ts'
import type { Finding } from '../errors/finding.ts'
import type { ComponentType } from './component.ts'
import { pointer } from './pointer.ts'
import { fault } from './report.ts'

interface TypedField {
  key: string
  type: string
  precision?: number
  scale?: number
  valueSet?: string
  references?: string
}

/** Which property goes with which type, and what it says. */
const companions = [
  {
    property: 'precision',
    type: 'number',
    words: '"precision"',
    example: 'how many digits it has in all, such as 12',
  },
  {
    property: 'scale',
    type: 'number',
    words: '"scale"',
    example: 'how many digits stand after the point, such as 2',
  },
  {
    property: 'valueSet',
    type: 'enum',
    words: 'value set',
    example: 'the value set that its values come from',
  },
  { property: 'references', type: 'reference', words: 'target', example: 'the object that it points at' },
] as const

/** Missing and superfluous companions of a field's type, and a scale beyond the precision. `steps` lead to the field. */
export function fieldShapeFindings(
  component: { type: ComponentType; key: string },
  steps: readonly (string | number)[],
  field: TypedField,
  code: FindingCode,
): Finding[] {
  const findings: Finding[] = []
  for (const { property, type, words, example } of companions) {
    const given = field[property] !== undefined
    if (given === (field.type === type)) continue
    const message = given
      ? `${field.key} is of type ${field.type}, so it has no ${words}. Remove it, or make the type ${type}.`
      : `${field.key} is of type ${type} and has no ${words}. Give ${example}.`
    findings.push(fault(component, pointer(...steps, property), code, message))
  }
  if (field.scale !== undefined && field.precision !== undefined && field.scale > field.precision) {
    const message =
      `${field.key} keeps ${field.scale} digits after the point but only ${field.precision} in all. ` +
      `Raise "precision" to at least ${field.scale}, or lower "scale".`
    findings.push(fault(component, pointer(...steps, 'scale'), code, message))
  }
  return findings
}
