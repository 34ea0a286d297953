// Creates the first generation: a set of rights for the first administrator, and the local client.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { commitFirst } from './commit-changes.ts'
import { PipelineCache } from './pipeline-cache.ts'
import type { OrgTransactor } from '../ports/org-store.ts'
import type { PipelineDeps } from './deps.ts'
import type { ApplyOutcome } from './request.ts'

export const administrator = 'admin'

const components = [
  {
    type: 'permission_set',
    key: 'administrator',
    label: 'Administrator',
    body: {
      systemPermissions: [
        'metadata.author',
        'config.author',
        'access.manage',
        'deploy.approve',
        'audit.read',
        'operations.manage',
        'integration.manage_credentials',
      ],
      objects: {},
      fields: {},
    },
  },
  {
    type: 'integration_client',
    key: 'local',
    label: 'Local client',
    body: { authScheme: 'oauth2_client_credentials', runAs: administrator },
  },
]

/** Applies generation 1 of an empty org, with the user `admin`. @throws AlmanacError org.exists */
export function applyFirstGeneration(deps: PipelineDeps): ApplyOutcome {
  const { store, access } = deps
  if (store.read((reader) => reader.generations.active()) !== 0)
    throw new AlmanacError('org.exists', 'The org already has generations.')
  const withAdmin: PipelineDeps = {
    ...deps,
    companionWriters: { administrator: writeAdministrator },
    access: {
      ...access,
      // The client runs as the user that this transaction creates.
      principals: (reader) => {
        const known = access.principals(reader)
        return { ...known, user: (key) => (key === administrator ? 'live' : known.user(key)) }
      },
    },
  }
  return commitFirst(
    withAdmin,
    new PipelineCache(),
    { source: { kind: 'components', components }, actor: administrator, rationale: 'The org is created.' },
    {
      kind: 'init',
      trusted: true,
      companion: { writer: 'administrator', data: null },
    },
  )
}

function writeAdministrator(transactor: OrgTransactor): [] {
  transactor.people.putUser({
    key: administrator,
    name: 'Administrator',
    active: true,
    locale: null,
    passwordHash: null,
    groups: [],
    permissionSets: ['administrator'],
  })
  return []
}
