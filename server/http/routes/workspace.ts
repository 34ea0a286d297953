// The workspace of a user: the state in which they left the studio, saved for all their windows and machines.
import type { WorkspaceView } from '#wire/workspace.ts'
import { defineRoute } from '../route.ts'
import { workspace, workspaceView } from '../schemas/workspace.ts'

export const getWorkspace = defineRoute({
  method: 'get',
  path: '/setup/v3/workspace',
  name: 'getWorkspace',
  summary: 'Get your workspace: open pages and positions in them',
  effect: 'reads',
  reply: workspaceView,
  errors: [],
  handle: ({ services, by }): WorkspaceView =>
    services.store.read((reader) => {
      const json = reader.workspaces.get(by.actor)
      // A workspace that an older version saved in a different shape is ignored.
      const savedWorkspace = workspace.safeParse(json === undefined ? null : JSON.parse(json))
      return {
        user: by.actor,
        org: reader.properties.get().lineage,
        workspace: savedWorkspace.success ? savedWorkspace.data : null,
      }
    }),
})

export const saveWorkspace = defineRoute({
  method: 'put',
  path: '/setup/v3/workspace',
  name: 'keepWorkspace',
  summary: 'Save your workspace; the last window to save it wins',
  effect: 'writes',
  body: workspace,
  status: 204,
  errors: ['request.invalid'],
  handle: async ({ services, body, by }) => {
    await services.org.write((transactor) => transactor.workspaces.put(by.actor, JSON.stringify(body)))
  },
})
