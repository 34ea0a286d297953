// The hash of an imported description is filled in by the import, so a component without one is not different for that.
import type { ComponentOf } from '../components/body-types.ts'
import { isSameContent } from './value-diff.ts'

type Service = ComponentOf<'external_service'>

/**
 * Returns the service with the hash of the base, if it has none of its own and imports the same: the same source and
 * the same operations.
 */
export function withCarriedHash(service: Service, base: Service | undefined): Service {
  const { spec, operations } = service.body
  const hash = base?.body.spec.hash
  if (base === undefined || hash === undefined || spec.hash !== undefined) return service
  const isSame = isSameContent(
    { spec, operations },
    { spec: { ...base.body.spec, hash: undefined }, operations: base.body.operations },
  )
  return isSame ? { ...service, body: { ...service.body, spec: { ...spec, hash } } } : service
}
