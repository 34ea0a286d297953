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
  { property: 'precision', type: 'number', example: '"precision": 12 (all digits)' },
  { property: 'scale', type: 'number', example: '"scale": 2 (digits after the point)' },
  { property: 'valueSet', type: 'enum', example: '"valueSet": the key of a value set' },
  { property: 'references', type: 'reference', example: '"references": the key of an object' },
] as const

/** Missing and superfluous companions of a field's type, and a scale beyond the precision. `steps` lead to the field. */
export function fieldShapeFindings(
  component: { type: ComponentType; key: string },
  steps: readonly (string | number)[],
  field: TypedField,
  code: FindingCode,
): Finding[] {
  const findings: Finding[] = []
  for (const { property, type, example } of companions) {
    const given = field[property] !== undefined
    if (given === (field.type === type)) continue
    const message = given
      ? `"${property}" says nothing for ${field.key}, which is of type ${field.type}. Leave it out, or make the type ${type}.`
      : `${field.key} is of type ${type} and lacks "${property}". Add ${example}.`
    findings.push(fault(component, given ? pointer(...steps, property) : pointer(...steps), code, message))
  }
  if (field.scale !== undefined && field.precision !== undefined && field.scale > field.precision) {
    const message =
      `${field.key} keeps ${field.scale} digits after the point but only ${field.precision} in all. ` +
      `Raise precision to at least ${field.scale}, or lower scale.`
    findings.push(fault(component, pointer(...steps, 'scale'), code, message))
  }
  return findings
}
