// Types of the element in Vue's templates: import type {} from '@almanac/lookup-field/vue'
import type { HTMLAttributes, ReservedProps } from 'vue'
import type { LookupAttributes, LookupChange, LookupError, LookupSearch } from '../dist/index.js'

type Camel<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name

/** Vue writes `false` into an attribute as text, which counts as set: null removes it. */
type Written<Value> = Value extends boolean | undefined ? true | '' | null | undefined : Value

type LookupFieldProps = {
  [Name in keyof LookupAttributes as Camel<Name>]?: Written<LookupAttributes[Name]>
} & {
  search?: LookupSearch | null
  onSvcLookupChange?: (event: CustomEvent<LookupChange>) => void
  onSvcLookupClear?: (event: CustomEvent<null>) => void
  onSvcLookupError?: (event: CustomEvent<LookupError>) => void
}

declare module 'vue' {
  interface GlobalComponents {
    'svc-lookup-field': new () => { $props: LookupFieldProps & HTMLAttributes & ReservedProps }
  }
}
