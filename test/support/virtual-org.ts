// A served org whose object `sales_order` has its rows in an OData source, and users who can see different parts of it.
import { orderFields } from '../../server/virtual/fixture.ts'
import { apply, signIn } from './billing-org.ts'
import type { Ask, TestServer } from './running-server.ts'

export interface VirtualOptions {
  /** URL of the source. */
  url: string
  /** More of the body of the object. */
  object?: object
  fields?: readonly object[]
  /** More of the body of the data source. */
  source?: object
  /** More of the body of the named credential. */
  credential?: object
}

const allRights = { create: true, read: true, update: true, delete: true, viewAll: true, modifyAll: true }

const component = (type: string, key: string, body: object): object => ({ type, key, label: key, body })

const editable = ({
  key,
  formula,
  readOnly,
}: {
  key: string
  formula?: object
  readOnly?: boolean
}): boolean => key !== '' && formula === undefined && readOnly !== true

/** Rights on fields: all of them, without those that are hidden. */
function fieldRights(fields: readonly object[], object: string, hidden: readonly string[] = []): object {
  const shown = (fields as { key: string }[]).filter(({ key }) => !hidden.includes(key))
  return Object.fromEntries(
    shown.map((field) => [`${object}.${field.key}`, { read: true, edit: editable(field) }]),
  )
}

export const parcelFields = [
  { key: 'code', type: 'text', unique: true },
  { key: 'order', type: 'reference', references: 'sales_order' },
]

/** One of the components of the org. */
export const virtualComponent = (key: string, options: VirtualOptions): Record<string, unknown> =>
  (virtualComponents(options) as Record<string, unknown>[]).find((each) => each['key'] === key)!

export function virtualComponents(options: VirtualOptions): object[] {
  const { url, object = {}, fields = orderFields, source = {}, credential = {} } = options
  const set = (key: string, rights: object, hidden: readonly string[] = []): object =>
    component('permission_set', key, {
      objects: { sales_order: rights, parcel: allRights },
      fields: { ...fieldRights(fields, 'sales_order', hidden), ...fieldRights(parcelFields, 'parcel') },
    })
  return [
    component('value_set', 'status', {
      values: ['Draft', 'Sent', 'Paid'].map((key) => ({ key, label: key })),
    }),
    component('config_set', 'limits', {
      cardinality: 'singleton',
      fields: [{ key: 'credit', type: 'number', precision: 12, scale: 2 }],
      ...{ read: { administrator: 'read', seller: 'read' }, edit: { administrator: 'edit' } },
    }),
    component('config_entry', 'limits.base', {
      set: 'limits',
      scope: { kind: 'org' },
      values: { credit: '20' },
    }),
    component('external_data_source', 'erp', {
      adapter: 'odata_v4',
      namedCredential: 'erp_api',
      pushdown: { filter: true, sort: true, paging: 'server', aggregate: true },
      pageSize: 4,
      ...source,
    }),
    component('object', 'sales_order', {
      storage: 'external',
      dataSource: 'erp',
      remoteEntity: 'Orders',
      externalId: 'Id',
      nameField: 'name',
      writable: true,
      fields,
      ...object,
    }),
    component('object', 'parcel', {
      storage: 'local',
      fields: parcelFields,
      nameField: 'code',
      sharing: { default: 'read_write' },
    }),
    set('seller', allRights),
    set('clerk', { create: true, read: true, update: true, delete: true }, ['amount', 'city', 'double']),
    set('auditor', { read: true, update: true, delete: true, viewAll: true }),
    set('reader', { read: true }),
    component('permission_set', 'stranger', { objects: { parcel: allRights }, fields: {} }),
    component('external_credential', 'erp_key', {
      scheme: 'api_key',
      name: 'X-Key',
      principals: [
        {
          key: 'service',
          mode: 'named',
          grantedTo: ['seller', 'clerk', 'auditor', 'reader', 'administrator'],
        },
      ],
    }),
    component('named_credential', 'erp_api', {
      ...{ url, externalCredential: 'erp_key', principal: 'service', timeoutMs: 10_000 },
      ...{ retry: { attempts: 1 }, circuitBreaker: { failureThreshold: 1000 } },
      ...{ budget: { concurrency: 20, requestsPerMinute: 100_000 } },
      ...credential,
    }),
  ]
}

export type VirtualUser = 'seller' | 'clerk' | 'auditor' | 'reader' | 'stranger'

/** Applies the org, stores the secret of its credential, and returns its users. */
export async function virtualOrg(
  test: TestServer,
  options: VirtualOptions,
): Promise<Record<VirtualUser, Ask>> {
  await apply(test.studio, virtualComponents(options))
  const secret = '/setup/v3/credentials/erp_key/principals/service/next'
  const written = await test.studio('PUT', secret, { values: { key: 'marked-key' } })
  if (written.status !== 204) throw new Error(written.text)
  const users = ['seller', 'clerk', 'auditor', 'reader', 'stranger'].map((key) => ({
    key,
    permissionSets: [key],
  }))
  return (await signIn(test, users)) as Record<VirtualUser, Ask>
}
