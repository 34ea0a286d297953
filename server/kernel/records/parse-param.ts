// Checks a value that a caller passes for a declared parameter.
import type { Param } from '../components/expression-slot.ts'
import { exprValueFromField, type ExprValue } from '../expr/index.ts'
import { numberText, parsePlainValue } from './parse-plain-value.ts'

/**
 * Returns the value of a parameter, in the forms in which the data API accepts values of fields: a number as text, or as
 * a JSON number of up to 15 digits. A parameter can be absent: null.
 */
export function parseParam(
  { key, type }: Param,
  input: unknown,
): { ok: true; value: ExprValue } | { ok: false; message: string } {
  if (input === null) return { ok: true, value: null }
  if (type === 'number') return numberParam(key, input)
  const form = { type, name: key, unique: false, precision: undefined, scale: undefined }
  const parsed = parsePlainValue(form, input)
  return parsed.ok ? { ok: true, value: exprValueFromField(type, parsed.value) } : parsed
}

function numberParam(key: string, input: unknown): ReturnType<typeof parseParam> {
  const sent = numberText(key, input)
  if (!sent.ok) return sent
  try {
    return { ok: true, value: exprValueFromField('number', sent.text) }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return { ok: false, message: `${key}: ${error.message}` }
  }
}
