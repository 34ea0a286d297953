// How the value of a field is stored.
import type { ObjectField } from '../components/object/body.ts'
import type { StoredForm } from '../expr/index.ts'

export function storedForm({ type, precision, scale }: ObjectField): StoredForm {
  return {
    type,
    ...(precision === undefined ? {} : { precision }),
    ...(scale === undefined ? {} : { scale }),
  }
}
