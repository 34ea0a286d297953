// Workspaces: how each user left the studio, in one bounded shape.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Workspace, WorkspaceView } from '#wire/workspace.ts'
import { runningServer, type TestServer } from '../support/running-server.ts'

const password = 'correct horse battery'
const path = '/setup/v3/workspace'
const left: Workspace = {
  sides: [
    { tabs: ['/c/config_set/vat_rate?view=form', '/changes'], front: '/changes' },
    { tabs: ['/audit'], front: '/audit' },
  ],
  focused: 1,
  share: 40,
  dock: { panel: 'events', height: 200, open: true },
  explorer: { by: 'app', open: ['config_set'] },
  places: [{ path: '/c/config_set/vat_rate', line: 3, column: 7, text: 120, form: 0, typing: true }],
}

let test: TestServer
beforeAll(async () => {
  test = await runningServer()
})
afterAll(() => test.close())

describe('a workspace', () => {
  it('does not exist before it is saved, and is then returned as saved', async () => {
    const fresh = await test.studio<WorkspaceView>('GET', path)
    expect(fresh.body).toMatchObject({ user: 'admin', workspace: null })
    expect((await test.studio('PUT', path, left)).status).toBe(204)
    const { body } = await test.studio<WorkspaceView>('GET', path)
    expect(body.workspace).toEqual(left)
  })

  it('belongs to one user', async () => {
    const operator = { actor: 'admin', correlationId: 'test', isOperator: true }
    await test.beside(async ({ access }) => {
      await access.addUser(operator, { key: 'tom', name: 'Tom', password })
    })
    const signIn = await test.plain<{ token: string }>('POST', '/session/token', {
      user: 'tom',
      password,
      label: 'test',
    })
    const { body } = await test.bearer(signIn.body.token)<WorkspaceView>('GET', path)
    expect(body).toMatchObject({ user: 'tom', workspace: null })
  })

  it.each([
    ['a value in addition to the addresses', { ...left, values: { rate: '0.19' } }],
    ['an address outside the studio', { ...left, sides: [{ tabs: ['https://example.org/'], front: '/' }] }],
    ['three sides', { ...left, sides: [left.sides[0], left.sides[0], left.sides[0]] }],
    ['endless tabs', { ...left, sides: [{ tabs: Array<string>(200).fill('/audit'), front: '/' }] }],
  ])('contains no %s', async (_what, body) => {
    expect((await test.studio('PUT', path, body)).status).toBe(400)
  })
})
