// How each user left the studio, one row per user.
import type { WorkspaceReader, WorkspaceTransactor } from '../../ports/workspaces.ts'
import { one, run, type Db } from './db.ts'

export function workspaceReads(db: Db): WorkspaceReader {
  return {
    workspace: (user) => one<{ json: string }>(db, 'SELECT json FROM workspace WHERE user = ?', user)?.json,
  }
}

export function workspaceWrites(db: Db): WorkspaceTransactor {
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
