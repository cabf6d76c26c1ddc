import classes from './import.module.css';

/** The columns of a file, for its author. */
export function Columns() {
  return (
    <section className={classes.columns}>
      <h2 className={classes.columnsHead}>What the columns mean</h2>
      <dl>
        <dt>CIs</dt>
        <dd>
          <code>name</code> and <code>type</code>, or <code>external_key</code>, say which CI a row means; one that is
          there is changed, else a new one is made. <code>attributes.ip_address</code>, <code>attributes.hostname</code>{' '}
          and <code>attributes.fqdn</code> are what events are found by. An empty cell changes nothing.
        </dd>
        <dt>Relationships</dt>
        <dd>
          <code>source_ci</code> depends on <code>target_ci</code>; both are a name, an external key or an id. Usual
          types are <code>depends_on</code>, <code>runs_on</code>, <code>hosted_on</code>, <code>powered_by</code>,{' '}
          <code>located_in</code>.
        </dd>
      </dl>
    </section>
  );
}
