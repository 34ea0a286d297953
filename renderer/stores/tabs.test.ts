// Tabs on one side and on two: opened once, closed to a neighbour, moved, reopened.
import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, describe, expect, it } from 'vitest'
import { useTabs } from './tabs.ts'

const paths = (side: 0 | 1): string[] =>
  useTabs()
    .of(side)
    .tabs.map(({ path }) => path)

beforeEach(() => {
  setActivePinia(createPinia())
  const tabs = useTabs()
  for (const path of ['/a', '/b', '/c']) {
    tabs.opened(0, path, path)
    tabs.pin(0, path)
  }
})

describe('one side', () => {
  it('has one tab per URL, which remembers its query', () => {
    useTabs().opened(0, '/b', '/b?view=json')
    expect(paths(0)).toEqual(['/a', '/b', '/c'])
    expect(useTabs().of(0).tabs[1]!.address).toBe('/b?view=json')
  })

  it('passes the tab of a form to what it has added, which has one tab', () => {
    const tabs = useTabs()
    tabs.pass('/b', '/d')
    expect(paths(0)).toEqual(['/a', '/d', '/c'])
    expect(tabs.of(0).tabs[1]!.address).toBe('/d')
    tabs.pass('/d', '/a')
    expect(paths(0)).toEqual(['/a', '/c'])
    tabs.pass('/nothing', '/e')
    expect(paths(0)).toEqual(['/a', '/c'])
  })

  it('closes to the neighbour, and reopens the last closed tab first', () => {
    const tabs = useTabs()
    expect(tabs.close(0, '/b')).toBe('/c')
    expect(tabs.close(0, '/c')).toBe('/a')
    expect(tabs.close(0, '/a')).toBe('/')
    expect([tabs.reopen()?.address, tabs.reopen()?.address, tabs.reopen()?.address]).toEqual([
      '/a',
      '/c',
      '/b',
    ])
    expect(paths(0)).toEqual(['/a', '/b', '/c'])
    expect(tabs.reopen()).toBeNull()
  })

  it('moves a tab to a position', () => {
    useTabs().move(0, '/c', 0, 0)
    expect(paths(0)).toEqual(['/c', '/a', '/b'])
  })
})

describe('a visited page', () => {
  it('is replaced by the next one, in its place, until it is pinned', () => {
    const tabs = useTabs()
    tabs.opened(0, '/d', '/d')
    tabs.opened(0, '/e', '/e')
    expect(paths(0)).toEqual(['/a', '/b', '/c', '/e'])
    tabs.pin(0, '/e')
    tabs.opened(0, '/f', '/f')
    expect(paths(0)).toEqual(['/a', '/b', '/c', '/e', '/f'])
    tabs.opened(0, '/a', '/a')
    expect(paths(0)).toEqual(['/a', '/b', '/c', '/e', '/f'])
  })

  it('stays once it was moved, or closed and reopened', () => {
    const tabs = useTabs()
    tabs.opened(0, '/d', '/d')
    tabs.move(0, '/d', 0, 0)
    tabs.opened(0, '/e', '/e')
    tabs.close(0, '/e')
    tabs.reopen()
    tabs.opened(0, '/f', '/f')
    expect(paths(0)).toEqual(['/d', '/a', '/b', '/c', '/e', '/f'])
  })
})

describe('two sides', () => {
  it('moves a tab to the other side, where it appears once', () => {
    const tabs = useTabs()
    tabs.divide()
    tabs.opened(1, '/a', '/a?old')
    tabs.move(0, '/a', 1, 1)
    expect([paths(0), paths(1)]).toEqual([['/b', '/c'], ['/a']])
    expect(tabs.of(1).tabs[0]!.address).toBe('/a')
  })

  it('loses no tab when a side closes', () => {
    const tabs = useTabs()
    tabs.divide()
    tabs.opened(1, '/b', '/b')
    tabs.pin(1, '/b')
    tabs.opened(1, '/d', '/d')
    tabs.unite(0)
    expect(paths(0)).toEqual(['/b', '/d', '/a', '/c'])
    expect(tabs.of(0).front).toBe('/d')
  })
})
