// How the user left the studio, as the server stores it.
import type { Workspace, WorkspaceView } from '#wire/workspace.ts'
import { get, request } from './request.ts'

export type { EditorState, Workspace, WorkspaceView } from '#wire/workspace.ts'

export const fetchWorkspace = (): Promise<WorkspaceView> => get('/setup/v3/workspace')

/** `keepalive` lets the request outlive the page. */
export const saveWorkspace = (workspace: Workspace, keepalive = false): Promise<void> =>
  request('PUT', '/setup/v3/workspace', { body: workspace, keepalive })
