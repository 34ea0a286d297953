// Installers for three platforms. Code signing is the owner's: certificates come from the environment, none is named here.
import type { Configuration } from 'electron-builder'

const config: Configuration = {
  appId: 'org.almanac.studio',
  productName: 'Almanac',
  directories: { output: 'dist' },
  files: ['out/**', 'resources/**', 'package.json', 'LICENSE', '!**/*.map'],
  // SQLite's binding is a native file; it is loaded from disk.
  asarUnpack: ['**/*.node', 'resources/**'],
  // The binding ships prebuilt for Electron's Node API, so nothing is compiled.
  npmRebuild: false,
  electronFuses: {
    runAsNode: false,
    enableCookieEncryption: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    grantFileProtocolExtraPrivileges: false,
  },
  linux: {
    target: ['AppImage', 'deb'],
    category: 'Development',
    synopsis: 'Configuration that is right on every date',
  },
  mac: { target: ['dmg', 'zip'], category: 'public.app-category.developer-tools', hardenedRuntime: true },
  win: { target: ['nsis'] },
  nsis: { oneClick: false, perMachine: false },
}

export default config
