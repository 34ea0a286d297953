import { describe, expect, it } from 'vitest'
import { buildComponent } from '../../../test/support/metadata.ts'
import { RecentCache } from './recent-cache.ts'

const component = (key: string) => buildComponent('value_set', key, { values: [] })

describe('recently read components', () => {
  it('are the same objects, and the least recently read ones are evicted first', () => {
    const cache = new RecentCache(40)
    const [recentComponent, oldComponent] = [component('kept'), component('left')]
    cache.put('kept', recentComponent, 10)
    cache.put('left', oldComponent, 10)
    expect(cache.get('left')).toBe(oldComponent)
    for (let n = 0; n < 20; n += 1) {
      cache.put(`other ${n}`, component('other'), 10)
      expect(cache.get('kept'), `after ${n + 1} others`).toBe(recentComponent)
    }
    expect(cache.get('left')).toBeUndefined()
  })

  it('are replaced by a value with the same key', () => {
    const cache = new RecentCache<string>(100)
    for (let n = 0; n < 100; n += 1) cache.put('draft', `text ${n}`, 10)
    expect(cache.get('draft')).toBe('text 99')
    cache.put('draft', 'far too long', 60)
    expect(cache.get('draft')).toBeUndefined()
  })

  it('never exceed the limit', () => {
    const cache = new RecentCache(100)
    for (let n = 0; n < 1000; n += 1) cache.put(`d${n}`, component('a'), 10)
    const held = Array.from({ length: 1000 }, (_, n) => cache.get(`d${n}`)).filter(
      (each) => each !== undefined,
    )
    expect(held.length).toBeGreaterThanOrEqual(5)
    expect(held.length).toBeLessThanOrEqual(10)
    cache.put('huge', component('huge'), 60)
    expect(cache.get('huge')).toBeUndefined()
  })
})
