// The environment of a worker thread.
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'

/** A thread does not share the sources that its process has compiled, unless it is given the path of the cache. */
export function threadEnv(): NodeJS.ProcessEnv {
  const cacheDir = getCompileCacheDir()
  const known = process.env['NODE_COMPILE_CACHE']
  return cacheDir === undefined || known !== undefined
    ? process.env
    : { ...process.env, NODE_COMPILE_CACHE: dirname(cacheDir) }
}
