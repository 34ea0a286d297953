// Who sees why a delivery has failed: the reason can contain values of what its endpoint writes.
import { grantsCalls } from '../../access/index.ts'
import type { RequestContext } from '../request-context.ts'

/** Only users who can read all that the endpoint writes, or can call what it calls. */
export function showsProblems(
  { access, snapshot }: Pick<RequestContext, 'access' | 'snapshot'>,
  key: string,
): boolean {
  if (access.platformRoot) return true
  const dispatch = snapshot.view.get('webhook_endpoint', key)?.body.dispatch
  if (dispatch?.automation !== undefined)
    return grantsCalls(snapshot.view, dispatch.automation, access.permissionSets)
  const { upsert } = dispatch ?? {}
  if (upsert === undefined) return false
  const rights = access.objects[upsert.object]
  const canReadField = (field: string): boolean => {
    const right = access.fields[`${upsert.object}.${field}`]
    return right?.read === true || right?.edit === true
  }
  const readsAll = rights?.viewAll === true || rights?.modifyAll === true
  return readsAll && Object.keys(upsert.values).every(canReadField)
}
