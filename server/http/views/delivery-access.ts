// What a user sees of a delivery beyond its state: the values that its endpoint takes from the body, and why it has failed,
// which can contain them.
import { placeInBody, valueAt, type DeliveredBody } from '#kernel/webhooks/index.ts'
import type { DeliveredValueView } from '#wire/deliveries.ts'
import { grantsCalls, grantsChannel } from '../../access/index.ts'
import type { RequestContext } from '../request-context.ts'

type Context = Pick<RequestContext, 'access' | 'snapshot'>

/** A field or a parameter that the endpoint fills, where in the body its value is, and whether the user could read it. */
interface TakenValue {
  name: string
  pointer: string
  canRead: boolean
}

/** Those of the endpoint as it is now; none without a target. */
function takenValues({ access, snapshot: { view } }: Context, key: string): TakenValue[] {
  const dispatch = view.get('webhook_endpoint', key)?.body.dispatch
  const { upsert, automation, publishTo } = dispatch ?? {}
  const named = (names: readonly { key: string }[], canRead: boolean): TakenValue[] =>
    names.map(({ key: name }) => ({ name, pointer: placeInBody(name, dispatch?.values), canRead }))
  if (automation !== undefined)
    return named(
      view.get('automation', automation)?.body.params ?? [],
      access.platformRoot || grantsCalls(view, automation, access.permissionSets),
    )
  if (publishTo !== undefined)
    return named(
      view.get('event_channel', publishTo)?.body.schema ?? [],
      access.platformRoot || grantsChannel(view, publishTo, 'read', access.permissionSets),
    )
  if (upsert === undefined) return []
  const rights = access.objects[upsert.object]
  const readsAll = rights?.read === true && (rights.viewAll || rights.modifyAll)
  return Object.entries(upsert.values).map(([name, pointer]) => {
    const right = access.fields[`${upsert.object}.${name}`]
    const canRead = access.platformRoot || (readsAll && (right?.read === true || right?.edit === true))
    return { name, pointer, canRead }
  })
}

/** Whether the user sees why it has failed: only one who can read all that the endpoint writes, or can call what it calls. */
export function showsProblems(context: Context, key: string): boolean {
  const { access, snapshot } = context
  if (access.platformRoot) return true
  const dispatch = snapshot.view.get('webhook_endpoint', key)?.body.dispatch
  if (dispatch?.automation !== undefined)
    return grantsCalls(snapshot.view, dispatch.automation, access.permissionSets)
  if (dispatch?.upsert === undefined) return false
  const taken = takenValues(context, key)
  return taken.length > 0 && taken.every(({ canRead }) => canRead)
}

/** Characters of a value. */
const mostText = 2000

/**
 * The values that the endpoint takes from a body. Other members are not shown, because no right of the org covers them.
 * @param isOwn whether the user has written the body
 */
export function shownValues(
  context: Context,
  key: string,
  { body, isOwn }: { body: DeliveredBody; isOwn: boolean },
): DeliveredValueView[] {
  return takenValues(context, key).map(({ name, pointer, canRead }) => {
    const value = valueAt(body, pointer)
    if (value === undefined) return { name, pointer, state: 'absent', text: null }
    if (!canRead && !isOwn) return { name, pointer, state: 'hidden', text: null }
    const text = JSON.stringify(value)
    return {
      name,
      pointer,
      state: 'shown',
      text: text.length > mostText ? `${text.slice(0, mostText)}…` : text,
    }
  })
}
