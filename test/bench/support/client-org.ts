// An org with a registered client, and the memory of a server over it.
import { enginesOf } from '../../../server/compose/engines.ts'
import { initOrg } from '../../../server/compose/open-org.ts'
import type { Served } from './served.ts'

export type Headers = Readonly<Record<string, string>>

const client = {
  ...{ type: 'integration_client', key: 'erp', label: 'ERP' },
  body: { authScheme: 'api_key', runAs: 'ada' },
}

/** Returns the headers of the client, which runs as a user with the permission sets. */
export async function makeClientOrg(
  dir: string,
  name: string,
  components: readonly object[],
  permissionSets: readonly string[],
): Promise<Headers> {
  const org = initOrg(dir, { name, environment: 'test' })
  const by = { actor: 'admin', correlationId: 'c', isOperator: true } as never
  const { access } = enginesOf(org)
  await org.apply({ source: { kind: 'components', components }, actor: 'admin' })
  await access.addUser(by, { key: 'ada', name: 'Ada', permissionSets: [...permissionSets] })
  await org.apply({ source: { kind: 'components', components: [client] }, actor: 'admin' })
  const { token } = await access.issueToken(by, 'erp')
  await org.close()
  return { authorization: `Bearer ${token}` }
}

/** The resident set of the process of a server, in bytes. */
export async function memoryOf({ url }: Served, headers: Headers): Promise<number> {
  const text = await (await fetch(`${url}/metrics`, { headers })).text()
  return Number(/^almanac_process_resident_memory_bytes (\d+)/m.exec(text)?.[1])
}
