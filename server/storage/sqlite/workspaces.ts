// How each user left the studio, one row per user.
import type { WorkspaceReads, WorkspaceWrites } from '../../ports/workspaces.ts'
import { one, run, type Db } from './db.ts'

export function workspaceReads(db: Db): WorkspaceReads {
  return {
    workspace: (user) => one<{ json: string }>(db, 'SELECT json FROM workspace WHERE user = ?', user)?.json,
  }
}

export function workspaceWrites(db: Db): WorkspaceWrites {
  return {
    putWorkspace: (user, json) =>
      void run(
        db,
        'INSERT INTO workspace VALUES (?, ?) ON CONFLICT (user) DO UPDATE SET json = excluded.json',
        user,
        json,
      ),
  }
}
