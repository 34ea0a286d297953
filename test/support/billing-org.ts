// A served org with customers, invoices and lines, and what its users can do with them.
import { billing } from '../../server/kernel/records/fixture.ts'
import type { Ask, TestServer } from './running-server.ts'

const allRights = { create: true, read: true, update: true, delete: true, viewAll: true, modifyAll: true }

const computed = new Set(['label', 'tax', 'total', 'half', 'buyer', 'lines', 'weight'])

/** Everything on all objects of the org. */
export function clerk(bodies = billing()): object {
  const objects: Record<string, object> = {}
  const fields: Record<string, object> = {}
  for (const [id, body] of Object.entries(bodies)) {
    const [type, key = ''] = id.split('/')
    if (type !== 'object') continue
    objects[key] = allRights
    for (const field of (body as { fields: { key: string }[] }).fields)
      fields[`${key}.${field.key}`] = { read: true, edit: !computed.has(field.key) || key === 'line' }
  }
  return { type: 'permission_set', key: 'clerk', label: 'Clerk', body: { objects, fields } }
}

export function billingComponents(bodies = billing()): object[] {
  const access = { read: { administrator: 'read' }, edit: { administrator: 'edit' } }
  return Object.entries(bodies).map(([id, body]) => {
    const [type = '', key = ''] = id.split('/')
    return { type, key, label: key, body: type === 'config_set' ? { ...body, ...access } : body }
  })
}

export async function apply(studio: Ask, components: readonly object[]): Promise<void> {
  const { status, text } = await studio('POST', '/metadata/v3/apply', { components, rationale: 'test' })
  if (status !== 200) throw new Error(text)
}

export interface User {
  key: string
  permissionSets: readonly string[]
}

/** Adds users and returns a way to send requests as each of them. */
export async function signIn(test: TestServer, users: readonly User[]): Promise<Record<string, Ask>> {
  const asks: Record<string, Ask> = {}
  for (const { key, permissionSets } of users) {
    const name = key
    const added = await test.studio('POST', '/setup/v3/users', { key, name, permissionSets })
    if (added.status !== 201) throw new Error(added.text)
    const body = { authScheme: 'api_key', runAs: key }
    await apply(test.studio, [{ type: 'integration_client', key, label: key, body }])
    const { token } = await test.beside(({ access }) =>
      access.issueToken({ actor: 'admin', correlationId: 'c', isOperator: true } as never, key),
    )
    asks[key] = test.bearer(token)
  }
  return asks
}
