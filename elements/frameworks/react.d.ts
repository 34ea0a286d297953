// <LookupField>, and types of the element itself in JSX.
import type { DetailedHTMLProps, ForwardRefExoticComponent, HTMLAttributes, RefAttributes } from 'react'
import type {
  LookupAttributes,
  LookupChange,
  LookupError,
  LookupSearch,
  SvcLookupField,
} from '../dist/index.js'

type Fields = string | readonly string[]

/** Attributes of every element that this one does not have, or types differently. */
type Other =
  | 'onChange'
  | 'onError'
  | 'placeholder'
  | 'defaultValue'
  | 'defaultChecked'
  | 'children'
  | 'dangerouslySetInnerHTML'

export interface LookupFieldProps extends Omit<HTMLAttributes<SvcLookupField>, Other> {
  mode?: 'read' | 'edit' | undefined
  /** Result source. Another function is a different source, so create it once. */
  search?: LookupSearch | null | undefined
  matchFields?: Fields | undefined
  displayFields?: Fields | undefined
  minChars?: number | undefined
  searchDelay?: number | undefined
  /** Id of the record. If omitted, the element keeps what the user chooses; null means no record. */
  value?: string | null | undefined
  display?: string | null | undefined
  href?: string | null | undefined
  label?: string | undefined
  placeholder?: string | undefined
  required?: boolean | undefined
  disabled?: boolean | undefined
  invalid?: boolean | undefined
  message?: string | null | undefined
  inline?: boolean | undefined
  name?: string | undefined
  form?: string | undefined
  /** An option was chosen. */
  onChange?: ((chosen: LookupChange, event: CustomEvent<LookupChange>) => void) | undefined
  /** The record was cleared. */
  onClear?: ((event: CustomEvent<null>) => void) | undefined
  /** The source threw. */
  onError?: ((error: unknown, event: CustomEvent<LookupError>) => void) | undefined
}

export declare const LookupField: ForwardRefExoticComponent<LookupFieldProps & RefAttributes<SvcLookupField>>

interface ElementProps extends LookupAttributes {
  search?: LookupSearch | null
  'onsvc-lookup-change'?: (event: CustomEvent<LookupChange>) => void
  'onsvc-lookup-clear'?: (event: CustomEvent<null>) => void
  'onsvc-lookup-error'?: (event: CustomEvent<LookupError>) => void
}

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'svc-lookup-field': DetailedHTMLProps<HTMLAttributes<SvcLookupField>, SvcLookupField> & ElementProps
    }
  }
}
