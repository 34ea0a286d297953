import { bundleServer } from './server-bundle.mjs'

export default () => bundleServer('vitest')
