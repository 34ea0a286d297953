// A second judge of access rules: policies of Cedar.
import { preparsePolicySet, statefulIsAuthorized, type EntityJson } from '@cedar-policy/cedar-wasm/nodejs'

export type { EntityJson }

export const quoted = (text: string): string => JSON.stringify(text)

/** Collects policies as text. */
export class Policies {
  readonly #policies: string[] = []

  permit(principal: string, actions: readonly string[], resource: string, condition?: string): void {
    if (actions.length === 0) return
    const list = actions.map((action) => `Action::${quoted(action)}`).join(', ')
    this.#policies.push(
      `permit(${principal}, action in [${list}], ${resource})${condition === undefined ? '' : ` when { ${condition} }`};`,
    )
  }
  get text(): string {
    return this.#policies.join('\n')
  }
}

/** The users of a world, as members of their permission sets. */
export function userEntities(users: readonly { key: string; sets: readonly string[] }[]): EntityJson[] {
  return users.map(({ key, sets }) => ({
    uid: { type: 'User', id: key },
    attrs: {},
    parents: sets.map((set) => ({ type: 'PermissionSet', id: set })),
  }))
}

export type Judge = (user: string, action: string, type: string, id: string) => boolean

/**
 * The judge of one world: the policies of an earlier one are replaced.
 * @throws Error if the policies cannot be read, or a policy cannot be evaluated
 */
export function judgeOf(policies: Policies, entities: EntityJson[]): Judge {
  const read = preparsePolicySet('world', { staticPolicies: policies.text })
  if (read.type === 'failure') throw new Error(JSON.stringify(read.errors))
  // Reading the entities again takes most of the time of an answer.
  const byId = new Map(entities.map((entity) => [idOf(entity.uid), entity]))
  return (user, action, type, id) => {
    const concerned = [`User ${user}`, `${type} ${id}`].flatMap((each) => byId.get(each) ?? [])
    const answer = statefulIsAuthorized({
      ...{ principal: { type: 'User', id: user }, action: { type: 'Action', id: action } },
      ...{ resource: { type, id }, context: {}, preparsedPolicySetId: 'world', entities: concerned },
    })
    const errors = answer.type === 'failure' ? answer.errors : answer.response.diagnostics.errors
    if (answer.type === 'failure' || errors.length > 0) throw new Error(JSON.stringify(errors))
    return answer.response.decision === 'allow'
  }
}

const idOf = (uid: EntityJson['uid']): string => {
  const { type, id } = '__entity' in uid ? uid.__entity : uid
  return `${type} ${id}`
}
