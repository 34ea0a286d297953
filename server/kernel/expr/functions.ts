// Every built-in function as data: its types, its documentation, how it treats a missing value
// (docs/reference/bindings-and-evidence.md). None reads a clock, the network or anything other than its arguments.
import type { ExprType } from '../components/expression-slot.ts'
import { dateFunctions } from './functions/date-functions.ts'
import { generalFunctions } from './functions/general-functions.ts'
import { numberFunctions } from './functions/number-functions.ts'
import { textFunctions } from './functions/text-functions.ts'
import type { BuiltIn, Overload } from './functions/built-in.ts'
import { isCompatible, isFlexibleType, commonType, typeName } from './type-names.ts'

export type { BuiltIn, Overload }

/** All built-ins, in the order of the manual. */
export const builtIns: readonly BuiltIn[] = [
  ...generalFunctions,
  ...numberFunctions,
  ...dateFunctions,
  ...textFunctions,
]

const byName = new Map(builtIns.map((builtIn) => [builtIn.name, builtIn]))

export function builtInOf(name: string): BuiltIn | undefined {
  return byName.get(name)
}

/** Formats a signature such as `round(number, number?): number`, for messages and the editor. */
export function signatureText(builtIn: BuiltIn, overload: Overload = builtIn.overloads[0]!): string {
  const optionalFrom = overload.params.length - (overload.optional ?? 0)
  const params = overload.params.map((type, index) => typeText(type) + (index >= optionalFrom ? '?' : ''))
  if (overload.rest !== undefined) params.push(`${typeText(overload.rest)}…`)
  const result = typeText(overload.result)
  if (builtIn.form !== 'method') return `${builtIn.name}(${params.join(', ')}): ${result}`
  return `${params[0]}.${builtIn.name}(${params.slice(1).join(', ')}): ${result}`
}

/** Finds the first overload that takes the arguments and returns its result type; null if none does. */
export function resolveOverload(builtIn: BuiltIn, args: readonly ExprType[]): { result: ExprType } | null {
  for (const overload of builtIn.overloads) {
    const result = match(overload, args)
    if (result !== null) return { result }
  }
  return null
}

/** Returns how many arguments the built-in takes, over all overloads; `most` is null if unbounded. */
export function arity(builtIn: BuiltIn): { least: number; most: number | null } {
  const least = Math.min(...builtIn.overloads.map(({ params, optional }) => params.length - (optional ?? 0)))
  const open = builtIn.overloads.some(({ rest }) => rest !== undefined)
  return { least, most: open ? null : Math.max(...builtIn.overloads.map(({ params }) => params.length)) }
}

function match({ params, optional, rest, result }: Overload, args: readonly ExprType[]): ExprType | null {
  if (args.length < params.length - (optional ?? 0)) return null
  if (rest === undefined && args.length > params.length) return null
  // `T` is one type throughout the call; `any` is any type.
  let bound: ExprType = { kind: 'absent' }
  for (const [index, arg] of args.entries()) {
    const paramType = params[index] ?? rest!
    if (paramType === 'any') continue
    if (paramType === 'T') {
      const joined = commonType(bound, arg)
      if (joined === null) return null
      bound = joined
    } else if (paramType === 'list') {
      if (arg.kind !== 'list' && !isFlexibleType(arg)) return null
    } else if (!isCompatible(arg, paramType)) return null
  }
  if (result === 'T') return bound
  return typeof result === 'string' ? { kind: 'dyn' } : result
}

function typeText(type: Overload['result']): string {
  if (type === 'T' || type === 'any') return 'value'
  return type === 'list' ? 'list' : typeName(type)
}
