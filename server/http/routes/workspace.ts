// How the person who asks left the studio, kept for every window and machine that they come back with.
import type { WorkspaceView } from '#kernel/workspace/wire.ts'
import { defineRoute } from '../route.ts'
import { workspace, workspaceView } from '../schemas/workspace.ts'

export const keptWorkspace = defineRoute({
  method: 'get',
  path: '/setup/v3/workspace',
  name: 'getWorkspace',
  summary: 'Get your workspace: open pages and positions in them',
  effect: 'reads',
  reply: workspaceView,
  errors: [],
  handle: ({ services, by }): WorkspaceView =>
    services.store.read((reader) => {
      const json = reader.workspace(by.actor)
      // What an older version kept in another shape is as good as nothing.
      const kept = workspace.safeParse(json === undefined ? null : JSON.parse(json))
      return { user: by.actor, org: reader.facts().lineage, workspace: kept.success ? kept.data : null }
    }),
})

export const keepWorkspace = defineRoute({
  method: 'put',
  path: '/setup/v3/workspace',
  name: 'keepWorkspace',
  summary: 'Save your workspace; the last window to save it wins',
  effect: 'writes',
  body: workspace,
  status: 204,
  errors: ['request.invalid'],
  handle: async ({ services, body, by }) => {
    await services.org.write((transactor) => transactor.putWorkspace(by.actor, JSON.stringify(body)))
  },
})
