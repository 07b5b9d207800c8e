import { mount } from 'svelte';
import App from './App.svelte';
import { connect } from './connect';
import { Desk } from './desk.svelte';
import './tokens.css';
import './base.css';

const { backend, clock } = await connect();
mount(App, { target: document.getElementById('app') as HTMLElement, props: { desk: new Desk(backend, clock) } });
