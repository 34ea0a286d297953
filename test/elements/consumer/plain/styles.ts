// The styles of a page that waits for the element, as a bundler takes them.
import '@almanac/lookup-field/style.css'
