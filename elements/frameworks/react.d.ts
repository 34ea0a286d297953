// Types of the element in JSX: import type {} from '@almanac/lookup-field/react'
import type { DetailedHTMLProps, HTMLAttributes } from 'react'
import type { LookupAttributes, LookupChange, LookupSearch, SvcLookupField } from '../dist/index.js'

interface LookupFieldProps extends LookupAttributes {
  search?: LookupSearch | null
  'onsvc-lookup-change'?: (event: CustomEvent<LookupChange>) => void
  'onsvc-lookup-clear'?: (event: CustomEvent<null>) => void
}

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'svc-lookup-field': DetailedHTMLProps<HTMLAttributes<SvcLookupField>, SvcLookupField> & LookupFieldProps
    }
  }
}
