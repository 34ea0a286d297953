// The place of an expression decides what it can read and its result type (docs/reference/resolution-and-dates.md).

/** Types of values in expressions. `record` is a reference whose fields can be followed. */
export type ExprType =
  | { kind: 'decimal' }
  | { kind: 'text' }
  | { kind: 'boolean' }
  | { kind: 'date' }
  | { kind: 'datetime' }
  | { kind: 'record'; object: string }
  | { kind: 'row'; set: string }
  | { kind: 'list'; of: ExprType }
  /** An object of an external service, whose members its description declares. */
  | { kind: 'object'; service: string; name: string }
  /** The result of a call: `status` and `body`. */
  | { kind: 'call_result'; body: ExprType }
  /** A value whose type a description does not declare. It must be converted, as in `text(x)`. */
  | { kind: 'unknown' }
  | { kind: 'absent' }
  | { kind: 'dyn' }

export type ParamType = 'number' | 'text' | 'boolean' | 'date' | 'datetime'

/** @param kind of an expression whose result is a parameter or a returned value: validation allows no other */
export const paramTypeOf = (kind: ExprType['kind']): ParamType =>
  kind === 'decimal' ? 'number' : (kind as ParamType)

export interface Param {
  key: string
  type: ParamType
}

/**
 * The target of a value: a field of a record or of an event, the record that an action changes, a returned value, the
 * credential of a call, or an argument of an operation, with the path to a member of its body.
 */
export type ActionTarget =
  | { kind: 'field'; object: string; field: string }
  | { kind: 'payload'; channel: string; field: string }
  | { kind: 'record'; object: string }
  | { kind: 'return'; name: string }
  | { kind: 'credential' }
  | { kind: 'argument'; operation: string; path: string[] }

/** The call of an earlier action, whose result an expression reads by the key of the action. */
export interface EarlierCall {
  action: string
  /** `<service>.<operation>`; without it, the body has no declared type. */
  operation?: string
}

export type ExpressionSite =
  /** The value of a new record that is added without one. */
  | { kind: 'field_default'; object: string; field: string }
  | { kind: 'stored_formula'; object: string; field: string }
  | { kind: 'virtual_formula'; object: string; field: string }
  /** The child's fields are bare names; the value belongs to the field of the object. */
  | { kind: 'rollup_filter'; object: string; field: string; child: string }
  | { kind: 'validation_rule'; object: string }
  | { kind: 'sharing_rule'; object: string }
  | { kind: 'list_filter'; object: string }
  /**
   * `calls`: the calls of earlier actions. `into`: the target of the value, for an expression that sets or returns
   * something.
   */
  | {
      kind: 'automation'
      object: string | null
      phase: string
      params: Param[]
      calls?: EarlierCall[]
      into?: ActionTarget
    }
  | { kind: 'calc_function'; key: string; params: Param[] }
  /** Declared inputs, an explicit as-of, any scope: the playground, the API, the command line. */
  | { kind: 'playground'; inputs: Param[] }

export interface ExpressionPlace {
  site: ExpressionSite
  /** The type it must have; `any` accepts all. */
  expects: ParamType | 'any'
}

export interface ExpressionSlot extends ExpressionPlace {
  /** JSON pointer into the envelope. */
  path: string
  source: string
}
