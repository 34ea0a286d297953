import { bundleServer } from './server-bundle.mjs'

export default () => bundleServer('playwright')
