//! Serves `activities.add`.

service::main!(activities::AddActivities);
