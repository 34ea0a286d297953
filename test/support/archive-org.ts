// A served org with invoices whose stored values can be archived, and a user with all rights on them.
import { billing, type Bodies } from '../../server/kernel/records/fixture.ts'
import { apply, billingComponents, clerk, signIn } from './billing-org.ts'
import { runningServer, type Ask, type TestServer } from './running-server.ts'

export interface SavedRecord {
  id: string
  version: number
  fields: Record<string, unknown>
}

export interface ArchiveOrg {
  test: TestServer
  ada: Ask
  /** Applies the components of bodies. */
  deploy(bodies: Bodies): Promise<void>
  /** Adds a record and returns its ID. */
  add(object: string, fields: object): Promise<string>
  update(object: string, id: string, fields: object): ReturnType<Ask>
  /** Archives a value of an invoice and returns the archive and the bundle. */
  archive(invoice: string, field: string): Promise<{ archive: string; evidence: string }>
  /** The bundles of an archive. */
  exported(archive: string): Promise<string[]>
}

export const operator = {
  ...{ type: 'permission_set', key: 'operator', label: 'Operator' },
  body: { systemPermissions: ['operations.manage'] },
}

/** Starts the org with these bodies. */
export async function archiveOrg(bodies: Bodies = billing()): Promise<ArchiveOrg> {
  const test = await runningServer()
  const deploy = (next: Bodies): Promise<void> =>
    apply(test.studio, [...billingComponents(next), clerk(next), operator])
  await deploy(bodies)
  const permissionSets = ['clerk', 'operator', 'administrator']
  const { ada } = (await signIn(test, [{ key: 'ada', permissionSets }])) as { ada: Ask }
  const sent = async <T>(...request: Parameters<Ask>): Promise<T> => {
    const { status, text, body } = await ada<T>(...request)
    if (status >= 300) throw new Error(text)
    return body
  }
  return {
    ...{ test, ada, deploy },
    add: async (object, fields) => (await sent<SavedRecord>('POST', `/data/v3/${object}`, fields)).id,
    update: (object, id, fields) => ada('PATCH', `/data/v3/${object}/${id}`, fields, { 'if-match': '*' }),
    archive: (invoice, field) => sent('POST', `/data/v3/invoice/${invoice}/values/${field}/archive`),
    exported: async (archive) => {
      const { text } = await ada('GET', `/setup/v3/archives/${archive}/evidence`)
      return text.split('\n').filter((line) => line !== '')
    },
  }
}
