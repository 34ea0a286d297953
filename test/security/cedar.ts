// A second judge of access rules: policies of Cedar.
import { isAuthorized, type EntityJson } from '@cedar-policy/cedar-wasm/nodejs'

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

/** @throws Error if a policy cannot be evaluated */
export function judgeOf(policies: Policies, entities: EntityJson[]): Judge {
  const staticPolicies = policies.text
  return (user, action, type, id) => {
    const answer = isAuthorized({
      ...{ principal: { type: 'User', id: user }, action: { type: 'Action', id: action } },
      ...{ resource: { type, id }, context: {}, policies: { staticPolicies }, entities },
    })
    const errors = answer.type === 'failure' ? answer.errors : answer.response.diagnostics.errors
    if (answer.type === 'failure' || errors.length > 0) throw new Error(JSON.stringify(errors))
    return answer.response.decision === 'allow'
  }
}
